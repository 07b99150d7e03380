#!/bin/sh
# Makes a campaign on a Slurm cluster: an array of shards, and a job after it that merges them.
#
#   LOCKSTORM_OUT=/shared/rows ./slurm-submit.sh 8 redlock/any --runs 200000
#
# LOCKSTORM_OUT must be a directory that all nodes see, and LOCKSTORM, if lockstorm is not on their PATH, the program.
# It prints the IDs of both jobs.
set -eu
here=$(dirname "$0")
if [ $# -lt 2 ]; then
    echo "usage: slurm-submit.sh SHARDS SCENARIO [--runs N …]" >&2
    exit 254
fi
shards=$1
shift
array=$(sbatch --parsable --array="0-$((shards - 1))" "$here/slurm-array.sh" "$@")
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes "$here/slurm-merge.sh")
echo "$array $merge"

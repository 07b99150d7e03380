#!/bin/sh
# Puts the shards together, once all of them are made: slurm-submit.sh lets it wait for the array.
#
#SBATCH --job-name=lockstorm-merge
#SBATCH --ntasks=1
#SBATCH --open-mode=append
set -eu
out=${LOCKSTORM_OUT:-rows}
exec "${LOCKSTORM:-lockstorm}" merge "$out"/part-* --store "$out/merged"

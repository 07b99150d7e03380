#!/bin/sh
# One task of the array makes one shard of a campaign. Submit it with slurm-submit.sh, or:
#
#   sbatch --array=0-7 slurm-array.sh redlock/any --runs 200000
#
# lockstorm reads from SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT which shard this is. A task that is requeued, as when
# its node has died, goes on where it was: --resume makes only the blocks that are not there yet. Slurm sends SIGTERM some
# time before it kills; lockstorm then finishes the block in hand, and exits with 130.
#
# Give a task at least 30 s of work: Slurm starts about one a second.
#
#SBATCH --job-name=lockstorm
#SBATCH --array=0-7
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu
exec "${LOCKSTORM:-lockstorm}" run "$@" --workers "${SLURM_CPUS_PER_TASK:-1}" \
    --store "${LOCKSTORM_OUT:-rows}/part-$SLURM_ARRAY_TASK_ID" --resume

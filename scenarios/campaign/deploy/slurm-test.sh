#!/bin/bash
# Tests the Slurm scripts for real: slurmctld, two slurmd and munge on this machine, on loopback only, with all of their
# files in a temporary directory. An array of 8 tasks is submitted; a node dies in the midst of it, and comes back; its
# tasks are requeued; the shards are merged, and held against what one process makes, byte for byte.
#
# It needs root, for Slurm's daemons do, and Debian's packages, which it installs where it may. Where it can't have them
# it says SKIP, and exits with 0.
#
#   scenarios/campaign/deploy/slurm-test.sh [RUNS]
#
# RUNS is 32000 unless it says otherwise. With far fewer a task may be done before its node can die: then nothing was tested,
# and it says SKIP.
set -euo pipefail
runs=${1:-32000}
here=$(cd "$(dirname "$0")" && pwd)

skip() {
    echo "SKIP: $*"
    exit 0
}

[ "$(id -u)" = 0 ] || skip "Slurm's daemons need root"
if ! command -v slurmctld slurmd munged sbatch >/dev/null; then
    command -v apt-get >/dev/null || skip "there is neither Slurm here, nor apt-get to install it"
    (timeout 90 apt-get update && DEBIAN_FRONTEND=noninteractive timeout 150 apt-get install -y --no-install-recommends slurmctld slurmd slurm-client munge) \
        >/dev/null 2>&1 || skip "the packages slurmctld, slurmd, slurm-client and munge can't be had here"
fi
# A node is a process tree of its own, so that it can die as a whole.
unshare --pid --fork --kill-child --mount-proc true 2>/dev/null || skip "no process namespaces can be made here"

dir=$(mktemp -d /tmp/lockstorm-slurm.XXXXXX)
started=()
cleanup() {
    for pid in "${started[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$dir"
}
trap cleanup EXIT
fail() {
    echo "FAIL: $*"
    tail -n 20 "$dir"/*.log "$dir"/*.out 2>/dev/null || true
    exit 1
}

(cd "$here/../../.." && go build -o "$dir/lockstorm" ./cmd/lockstorm)

# Ports that nobody listens on just now. The timeouts and intervals are short: with those that Slurm has by itself, it takes
# half a minute to find that a node is dead, and as long to begin a task again.
port() {
    while :; do
        p=$((20000 + RANDOM % 10000))
        (exec 3<>"/dev/tcp/127.0.0.1/$p") 2>/dev/null || { echo "$p"; return; }
    done
}
cat >"$dir/slurm.conf" <<CONF
ClusterName=lockstorm
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$(port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool-%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/linear
SchedulerType=sched/builtin
SchedulerParameters=builtin_interval=1,sched_interval=1,batch_sched_delay=1
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=5
MessageTimeout=2
KillWait=2
JobRequeue=1
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(port) CPUs=1
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(port) CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$dir/slurm.conf LOCKSTORM=$dir/lockstorm LOCKSTORM_OUT=$dir/rows
mkdir -p "$dir/state" "$dir/munge" "$dir/rows"
chmod 755 "$dir"
chmod 700 "$dir/munge"
head -c 1024 /dev/urandom >"$dir/munge/key"
chmod 600 "$dir/munge/key"

munged --foreground --force --socket="$dir/munge.socket" --key-file="$dir/munge/key" --pid-file="$dir/munge/pid" \
    --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" >"$dir/munged.log" 2>&1 &
started+=($!)
for _ in $(seq 50); do [ -S "$dir/munge.socket" ] && break; sleep 0.1; done
slurmctld -D >"$dir/slurmctld.out" 2>&1 &
started+=($!)
node() {
    mkdir -p "$dir/spool-$1"
    unshare --pid --fork --kill-child --mount-proc slurmd -D -N "$1" >"$dir/slurmd-$1.out" 2>&1 &
    node=$!
    started+=("$node")
}
node n1
node n2
second=$node
for _ in $(seq 60); do [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && break; sleep 0.5; done
[ "$(sinfo -h -t idle -o %D)" = 2 ] || skip "Slurm's daemons do not come up on this machine: $(sinfo -N -l 2>&1)"
echo "two nodes are up"

cd "$dir"
read -r array merge <<<"$("$here/slurm-submit.sh" 8 redlock/any --runs "$runs" --set nodes=3)"
echo "submitted: array $array, merge $merge"

# The second node dies when its first task has some blocks, but not all.
for _ in $(seq 300); do
    task=$(squeue -h -w n2 -t running -o %K 2>/dev/null | head -n 1)
    if [ -n "$task" ] && [ "$(find "$dir/rows/part-$task" -name 'block-*' 2>/dev/null | wc -l)" -ge 2 ]; then break; fi
    sleep 0.1
done
[ -n "$task" ] || fail "no task ran on the second node"
kill -9 "$second"
wait "$second" 2>/dev/null || true
had=$(find "$dir/rows/part-$task" -name 'block-*' | wc -l)
[ "$had" -lt 8 ] || skip "task $task was done before its node could die; this machine is so fast that it takes more RUNS than $runs"
echo "node n2 died with task $task, which had made $had of 8 blocks"
for _ in $(seq 120); do [ "$(sinfo -h -n n2 -o %t)" = "down" ] || [ "$(sinfo -h -n n2 -o %t)" = "down*" ] && break; sleep 0.5; done
[ -n "$(squeue -h -j "${array}_$task" -t pending -o %K)" ] || fail "task $task was not requeued: $(squeue -h)"
echo "task $task is requeued"
node n2
echo "node n2 is back"

for _ in $(seq 360); do [ -z "$(squeue -h -o %i)" ] && break; sleep 0.5; done
[ -z "$(squeue -h -o %i)" ] || fail "it does not end: $(squeue)"
grep -h -o "merged into.*" slurm-"$merge".out || fail "it was not merged"
restarts=$(scontrol show job "${array}_$task" | grep -o 'Restarts=[0-9]*' || true)
[ "$restarts" != "Restarts=0" ] || fail "task $task was never restarted"

"$dir/lockstorm" run redlock/any --runs "$runs" --set nodes=3 --store "$dir/alone" --quiet || [ $? -eq 1 ] # some runs break a promise
diff -r "$dir/alone" "$dir/rows/merged" || fail "merged shards and one process differ"
echo "PASS: 8 tasks on two nodes, one of which died ($restarts of task $task), make what one process makes: $(ls "$dir/alone" | wc -l) files, byte for byte"

# A study in two shards: each array task is one, as Slurm's own variables say, and what is merged is what one process prints.
study="$dir/lockstorm study pause --runs 20 --quiet"
job=$(sbatch --parsable --array=0-1 --wait --output="$dir/study-%a.out" --wrap="$study --store $dir/study-\$SLURM_ARRAY_TASK_ID") ||
    fail "the study does not end: $(cat "$dir"/study-*.out)"
"$dir/lockstorm" merge "$dir/study-0" "$dir/study-1" --store "$dir/study" >/dev/null
$study --store "$dir/study" --resume --format csv >"$dir/merged.csv"
$study --format csv >"$dir/whole.csv"
cmp "$dir/merged.csv" "$dir/whole.csv" || fail "two shards of a study and one process differ"
echo "PASS: a study of $(($(wc -l <"$dir/whole.csv") - 1)) cells in two shards (job $job) prints what one process prints"

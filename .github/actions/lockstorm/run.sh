#!/usr/bin/env bash
# What the action does, so that it can be tried by hand: it installs the program, unless LOCKSTORM names one, and runs the suite.
#   LOCKSTORM=./lockstorm LOCKSTORM_SCENARIOS=kleppmann LOCKSTORM_RUNS=10 bash .github/actions/lockstorm/run.sh
set -euo pipefail

program=${LOCKSTORM:-}
if [[ -z $program ]]; then
	bin=$(mktemp -d)
	GOBIN=$bin go install "github.com/lockstorm/lockstorm/cmd/lockstorm@${LOCKSTORM_VERSION:-latest}"
	program=$bin/lockstorm
fi
patterns=()
while read -r pattern; do
	if [[ -n $pattern ]]; then patterns+=("$pattern"); fi
done <<<"${LOCKSTORM_SCENARIOS:-}"
# What is empty under set -u is unbound in old bashes, such as that of macOS.
exec "$program" test --runs "${LOCKSTORM_RUNS:-100}" --junit "${LOCKSTORM_JUNIT:-lockstorm.xml}" --store "${LOCKSTORM_STORE:-lockstorm-store}" \
	-- ${patterns[@]+"${patterns[@]}"}

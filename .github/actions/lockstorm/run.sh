#!/usr/bin/env bash
# What the action does, so that it can be tried by hand: it installs the program, unless LOCKSTORM names one, runs the suite, and
# writes what came of it as pages. The exit code is that of the suite.
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
store=${LOCKSTORM_STORE:-lockstorm-store} status=0
# What is empty under set -u is unbound in old bashes, such as that of macOS.
"$program" test --runs "${LOCKSTORM_RUNS:-100}" --junit "${LOCKSTORM_JUNIT:-lockstorm.xml}" --store "$store" --json "$store/suite.json" \
	-- ${patterns[@]+"${patterns[@]}"} || status=$?
if ((status <= 2)); then # otherwise nothing was run
	"$program" report "$store" --out "${LOCKSTORM_SITE:-lockstorm-site}" || true
fi
exit "$status"

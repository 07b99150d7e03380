#!/usr/bin/env bash
# build.sh makes ../files/editor.js anew, the one file in which the playground has its editor, and the licences of what is in
# it. It needs npm. The versions are those of package-lock.json, so the bytes are the same each time; --check only compares.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cp "$here"/{package.json,package-lock.json,editor.mjs} "$scratch"
cd "$scratch"
npm ci --silent --no-audit --no-fund
npx --no-install esbuild editor.mjs --bundle --minify --format=esm --target=es2020 --legal-comments=none --charset=utf8 \
	--banner:js='// CodeMirror and what it needs, built by editor/build.sh. Their licences: editor.licences.txt.' --outfile=editor.js --log-level=warning
{
	printf 'editor.js has these packages in it, each under its licence.\n'
	npm ls --omit=dev --all --parseable | sed -n "s|^$scratch/node_modules/||p" | LC_ALL=C sort -u | while read -r name; do
		printf '\n%s %s\n\n' "$name" "$(node -p "require('./node_modules/$name/package.json').version")"
		cat "node_modules/$name/LICENSE"
	done
} >editor.licences.txt

for file in editor.js editor.licences.txt; do
	if [[ ${1:-} == --check ]]; then
		cmp "$file" "$here/../files/$file"
	else
		cp "$file" "$here/../files/$file"
	fi
done

#!/usr/bin/env bash
# npm 11.19.1: a project that has @solana/web3.js 1.98.4 and adds @solana/kit 7.0.0 gets 33 copies of `@solana/errors` and 191 MB of
# packages. With Kit first and web3.js second it gets two copies and 89 MB. Both need Kit's codecs, web3.js version 2 and Kit version 7:
# what came first lies at the top of node_modules, and each package of Kit then has a version 7 of its own.
# Expected: `npm dedupe` moves the version to the top that most packages need. It leaves all 33 copies.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
export npm_config_cache="$folder/cache" npm_config_audit=false npm_config_fund=false npm_config_ignore_scripts=true
npm='npx --yes npm@11.19.1'

copies() { find "$1/node_modules" -path '*/@solana/errors/package.json' | wc -l; }

install() {
  mkdir "$folder/$1"
  cd "$folder/$1"
  echo '{ "private": true }' >package.json
  for package in "${@:2}"; do $npm install --save-exact --loglevel=error "$package" >/dev/null; done
}

install web3js-first @solana/web3.js@1.98.4 @solana/kit@7.0.0
before="$(copies .)"
$npm dedupe --loglevel=error >/dev/null
deduped="$(copies .)"
install kit-first @solana/kit@7.0.0 @solana/web3.js@1.98.4
other="$(copies .)"
echo "copies of @solana/errors: $before with web3.js first, $deduped after npm dedupe, $other with Kit first"
[ "$before $deduped $other" = '33 33 2' ]

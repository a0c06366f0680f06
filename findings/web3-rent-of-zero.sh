#!/usr/bin/env bash
# @solana/web3.js 1.99.0: when the RPC node answers an error, getMinimumBalanceForRentExemption does not throw as the
# other methods do. It prints a warning and returns 0, and an account funded with that amount cannot be created.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @solana/web3.js@1.99.0
cat >run.cjs <<'JS'
const { createServer } = require('node:http');
const { Connection, PublicKey } = require('@solana/web3.js');
const node = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const { id } = JSON.parse(body);
    const error = { code: -32005, message: 'Node is behind by 200 slots' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
  });
});
node.listen(0, '127.0.0.1', async () => {
  const warnings = [];
  console.warn = (line) => warnings.push(line);
  const connection = new Connection(`http://127.0.0.1:${node.address().port}`);
  const outcome = (promise) => promise.then((value) => `returns ${value}`, () => 'throws');
  console.log('version', require('@solana/web3.js/package.json').version);
  console.log('getBalance', await outcome(connection.getBalance(PublicKey.default)));
  console.log('getMinimumBalanceForRentExemption', await outcome(connection.getMinimumBalanceForRentExemption(165)));
  console.log('warnings', warnings.length);
  process.exit(0);
});
JS
seen="$(node run.cjs)"
echo "$seen"
expected='version 1.99.0
getBalance throws
getMinimumBalanceForRentExemption returns 0
warnings 1'
[ "$seen" = "$expected" ] || { echo 'the behaviour has changed' >&2; exit 1; }

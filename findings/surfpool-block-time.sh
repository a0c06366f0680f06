#!/usr/bin/env bash
# @solana/surfpool-linux-x64-gnu 1.5.0 (Linux, x64): `blockTime` of getTransaction is a thousandth of the Unix time that
# getSignaturesForAddress and getBlockTime tell for the same block, a day in January 1970.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @solana/surfpool-linux-x64-gnu@1.5.0
cat >run.cjs <<'JS'
const { Surfnet } = require('@solana/surfpool-linux-x64-gnu');
const surfnet = Surfnet.startWithConfig({ offline: true });
setInterval(() => surfnet.drainEvents(), 100);
const call = async (method, ...params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  return (await (await fetch(surfnet.rpcUrl, { method: 'POST', headers, body })).json()).result;
};
(async () => {
  const address = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
  const signature = await call('requestAirdrop', address, 1e9);
  const [listed] = await call('getSignaturesForAddress', address);
  const { blockTime, slot } = await call('getTransaction', signature, { encoding: 'json', maxSupportedTransactionVersion: 0 });
  console.log('version', require('@solana/surfpool-linux-x64-gnu/package.json').version);
  console.log('the list and getBlockTime agree', Math.abs(listed.blockTime - (await call('getBlockTime', slot))) <= 1);
  console.log('getTransaction tells a thousandth', blockTime === Math.floor(listed.blockTime / 1_000));
  process.exit(0);
})();
JS
seen="$(node run.cjs)"
echo "$seen"
expected='version 1.5.0
the list and getBlockTime agree true
getTransaction tells a thousandth true'
[ "$seen" = "$expected" ] || { echo 'the behaviour has changed' >&2; exit 1; }

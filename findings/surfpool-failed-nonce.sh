#!/usr/bin/env bash
# @solana/surfpool-linux-x64-gnu 1.5.0 (Linux, x64): a transaction with a durable nonce that fails on chain pays its fee and leaves the
# nonce as it was, so that a second transaction with the same nonce lands. Expected: each transaction with a nonce that lands advances it,
# also a failed one, as validators do since they know nonces: otherwise its fee could be taken again.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @solana/surfpool-linux-x64-gnu@1.5.0 @solana/web3.js@1.99.0
cat >run.cjs <<'JS'
const { Surfnet } = require('@solana/surfpool-linux-x64-gnu');
const { Connection, Keypair, NonceAccount, NONCE_ACCOUNT_LENGTH, SystemProgram, Transaction } = require('@solana/web3.js');
const surfnet = Surfnet.startWithConfig({ offline: true });
setInterval(() => surfnet.drainEvents(), 100);
(async () => {
  const connection = new Connection(surfnet.rpcUrl, 'confirmed');
  const [payer, nonce, receiver] = [Keypair.generate(), Keypair.generate(), Keypair.generate().publicKey];
  /** Sends, waits, and tells whether it succeeded. */
  const land = async (recentBlockhash, signers, ...instructions) => {
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash }).add(...instructions);
    transaction.sign(...signers);
    const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
    for (;;) {
      const { value } = await connection.getSignatureStatus(signature);
      if (value) return value.err === null;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await connection.requestAirdrop(payer.publicKey, 10e9);
  while ((await connection.getBalance(payer.publicKey)) === 0) await new Promise((resolve) => setTimeout(resolve, 100));
  const lamports = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH);
  const create = { fromPubkey: payer.publicKey, noncePubkey: nonce.publicKey, authorizedPubkey: payer.publicKey, lamports };
  const { blockhash } = await connection.getLatestBlockhash();
  console.log('nonce account made', await land(blockhash, [payer, nonce], ...SystemProgram.createNonceAccount(create).instructions));
  // The value must be older than the block that uses it.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const read = async () => NonceAccount.fromAccountData((await connection.getAccountInfo(nonce.publicKey)).data).nonce;
  const first = await read();
  const advance = SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: payer.publicKey });
  const send = (amount) => SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: receiver, lamports: amount });
  const before = await connection.getBalance(payer.publicKey);
  console.log('more than the payer has: succeeded', await land(first, [payer], advance, send(100e9)));
  console.log('fee paid', before - (await connection.getBalance(payer.publicKey)));
  console.log('nonce advanced', (await read()) !== first);
  console.log('another with the same nonce: succeeded', await land(first, [payer], advance, send(1e9)));
  console.log('nonce advanced', (await read()) !== first);
  process.exit(0);
})();
JS
seen="$(node run.cjs)"
echo "$seen"
expected='nonce account made true
more than the payer has: succeeded false
fee paid 5000
nonce advanced false
another with the same nonce: succeeded true
nonce advanced true'
[ "$seen" = "$expected" ] || { echo 'the behaviour has changed' >&2; exit 1; }

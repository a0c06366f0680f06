// Claims all rewards of a wallet: KEYPAIR=$PAYOUT_KEYPAIR npx tsx examples/claim.ts
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Keypair, PublicKey } from '@solana/web3.js';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import type { ClaimingWallet } from '@curvekit/sdk/rewards';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', KEYPAIR = 'id.json' } = process.env;
const keypair = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const jwk = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: text(keypair.publicKey.toBytes()),
  d: text(keypair.secretKey.subarray(0, 32)),
};
const wallet: ClaimingWallet = {
  publicKey: keypair.publicKey,
  signMessage: (message) =>
    Promise.resolve(sign(null, message, createPrivateKey({ key: jwk, format: 'jwk' }))),
  signTransaction: (transaction) => {
    transaction.sign([keypair]);
    return Promise.resolve(transaction);
  },
};
const { connection, rewards } = await connectLaunchpad(LAUNCHPAD_URL);
for (const { tokenInfo, unclaimedRewards } of await rewards.rewards(wallet)) {
  const tokenAddress = new PublicKey(tokenInfo.address);
  for (const [claimType, unclaimed] of [
    ['SOL', unclaimedRewards.sol],
    ['TOKEN', unclaimedRewards.token],
  ] as const) {
    if (unclaimed === 0n) continue;
    const { amount, signature } = await rewards.claim(
      wallet,
      { tokenAddress, claimType, unclaimed },
      { connection },
    );
    console.log(`${claimType} ${amount} of ${tokenAddress.toBase58()}: ${signature}`);
  }
}

// Claims all rewards of a wallet: KEYPAIR=$PAYOUT_KEYPAIR npx tsx examples/claim.ts
import { readFileSync } from 'node:fs';
import { Keypair, PublicKey } from '@solana/web3.js';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { keypairWallet } from '@curvekit/sdk/rewards';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', KEYPAIR = 'id.json' } = process.env;
const keypair = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
const wallet = keypairWallet(keypair);
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

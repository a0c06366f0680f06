// Claims all rewards of a wallet: KEYPAIR=$PAYOUT_KEYPAIR npx tsx examples/claim.ts
import { readFileSync } from 'node:fs';
import { Keypair } from '@solana/web3.js';
import { keypairWallet } from '@curvekit/sdk';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import type { RewardEntry } from '@curvekit/sdk/rewards';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', KEYPAIR = 'id.json' } = process.env;
const keypair = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
const wallet = keypairWallet(keypair);
const { connection, rewards } = await connectLaunchpad(LAUNCHPAD_URL);
/** The claims of one token follow each other; those of different tokens run side by side. */
async function claimAll({ tokenInfo, unclaimedRewards }: RewardEntry): Promise<void> {
  const tokenAddress = tokenInfo.address;
  for (const [claimType, unclaimed] of [
    ['SOL', unclaimedRewards.sol],
    ['TOKEN', unclaimedRewards.token],
  ] as const) {
    if (unclaimed === 0n) continue;
    const request = { tokenAddress, claimType, unclaimed };
    try {
      const { amount, signature } = await rewards.claim(wallet, request, { connection });
      console.log(`${claimType} ${amount} of ${tokenAddress}: ${signature}`);
    } catch (error) {
      // Such as less than the network fee: it stays credited, and the other tokens are paid.
      console.log(`${claimType} of ${tokenAddress}: ${String(error)}`);
    }
  }
}

await Promise.all((await rewards.rewards(wallet)).map(claimAll));

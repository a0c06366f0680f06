// The same with @solana/kit, on Node.js.
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { connectLaunchpad } from '@curvekit/sdk/kit/launchpad';
import { trade } from '@curvekit/sdk/kit/trade';

const { url, mint, secretKey } = JSON.parse(process.argv[2]);
const { rpc, deployment, market } = await connectLaunchpad(url);
const wallet = await createKeyPairSignerFromBytes(Uint8Array.from(secretKey));
const order = { wallet, mint, solToSpend: 1_000_000n, slippageBps: 1_000, deployment };
const { solAmount } = await trade(rpc, order);
console.log(JSON.stringify({ spent: String(solAmount), symbol: (await market.token(mint)).symbol }));
process.exit(0);

// Buys a token on the launchpad at a URL. Each runtime gets the input as JSON.
import { Keypair, PublicKey } from '@solana/web3.js';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { trade } from '@curvekit/sdk/trade';

export async function buy({ url, mint, secretKey }) {
  const { connection, deployment, market } = await connectLaunchpad(url);
  const wallet = Keypair.fromSecretKey(Uint8Array.from(secretKey));
  const order = { wallet, mint: new PublicKey(mint), solToSpend: 1_000_000n, slippageBps: 1_000, deployment };
  const { solAmount } = await trade(connection, order);
  return { spent: String(solAmount), symbol: (await market.token(mint)).symbol };
}

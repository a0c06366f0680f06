// Buys at least 1,000 tokens, and sells some for at least 0.00001 SOL: npx tsx examples/exact-out.ts $MINT
import { readFileSync } from 'node:fs';
import { Keypair, PublicKey } from '@solana/web3.js';
import { formatSol, formatTokens, parseSol, parseTokens } from '@curvekit/sdk';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { trade } from '@curvekit/sdk/trade';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', KEYPAIR = 'id.json' } = process.env;
const { connection, deployment } = await connectLaunchpad(LAUNCHPAD_URL);
const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
const mint = new PublicKey(process.argv[2]!);
// The trade is refused when the price gets worse by more than the slippage, here 5 %: on a busy curve other trades land
// first. The trade still pays the price at which it lands, not the limit.
const slippageBps = 500;
const bought = await trade(connection, {
  deployment,
  wallet,
  mint,
  tokenToReceive: parseTokens('1000'),
  slippageBps,
});
console.log(`bought ${formatTokens(bought.tokenAmount)} tokens for ${formatSol(bought.solAmount)} SOL`);
const solToReceive = parseSol('0.00001');
const sold = await trade(connection, { deployment, wallet, mint, solToReceive, slippageBps });
console.log(`sold ${formatTokens(sold.tokenAmount)} tokens for ${formatSol(sold.solAmount)} SOL`);

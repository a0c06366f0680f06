// Buys at least 1,000 tokens, and sells some for at least 0.00001 SOL: KEYPAIR=id.json npx tsx examples/exact-out.ts MINT
import { readFileSync } from 'node:fs';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { formatSol, formatTokens, parseSol, parseTokens } from '@curvekit/sdk';
import { trade } from '@curvekit/sdk/trade';

const { RPC_URL = 'http://127.0.0.1:8899', KEYPAIR = 'id.json' } = process.env;
const connection = new Connection(RPC_URL, 'confirmed');
const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
const mint = new PublicKey(process.argv[2]!);
// The trade is refused when the price gets worse by more than the slippage, here 0.5 %.
const bought = await trade(connection, {
  wallet,
  mint,
  tokenToReceive: parseTokens('1000'),
  slippageBps: 50,
});
console.log(`bought ${formatTokens(bought.tokenAmount)} tokens for ${formatSol(bought.solAmount)} SOL`);
const sold = await trade(connection, { wallet, mint, solToReceive: parseSol('0.00001'), slippageBps: 50 });
console.log(`sold ${formatTokens(sold.tokenAmount)} tokens for ${formatSol(sold.solAmount)} SOL`);

// Buys new tokens whose creator buys at launch, and sells each at a gain of 20 %: npx tsx examples/bot.ts
import { readFileSync } from 'node:fs';
import { Keypair } from '@solana/web3.js';
import { formatSol, formatTokens, parseSol, type CurveRecord, type TradeRecord } from '@curvekit/sdk';
import { openFeed } from '@curvekit/sdk/feed';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { trade, type TradeResult } from '@curvekit/sdk/trade';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', KEYPAIR = 'id.json', ROUNDS = 'Infinity' } = process.env;
const { connection, deployment } = await connectLaunchpad(LAUNCHPAD_URL);
const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
const held = new Map<string, TradeResult>();
let sold = 0;

// A creation and its first buy are in one transaction, so they come in one event.
async function buyIfLiked([created, first]: readonly CurveRecord[]): Promise<void> {
  if (created?.kind !== 'create' || first?.kind !== 'trade' || first.data.solAmount < parseSol('0.1')) return;
  const { mint, symbol } = created.data;
  const order = { deployment, wallet, mint, slippageBps: 300 };
  const bought = await trade(connection, { ...order, solToSpend: parseSol('0.05') });
  held.set(mint.toBase58(), bought);
  console.log(`bought ${formatTokens(bought.tokenAmount)} ${symbol} ${mint.toBase58()}`);
}

async function sellAtTarget({ mint, virtualSol, virtualToken }: TradeRecord): Promise<void> {
  const bought = held.get(mint.toBase58());
  if (bought === undefined || virtualSol * bought.tokenAmount * 100n < bought.solAmount * virtualToken * 120n)
    return;
  const tokenToSpend = bought.tokenAmount;
  const { solAmount } = await trade(connection, { deployment, wallet, mint, tokenToSpend });
  held.delete(mint.toBase58());
  sold += 1;
  console.log(`sold ${mint.toBase58()}: ${formatSol(solAmount)} SOL for ${formatSol(bought.solAmount)}`);
}

const feed = openFeed(connection, { deployment, kinds: ['create', 'trade'], onError: console.error });
void feed.ready.then(() => console.log('watching'));
for await (const event of feed) {
  if (event.type !== 'records') continue;
  await buyIfLiked(event.records).catch(console.error);
  for (const { kind, data } of event.records)
    if (kind === 'trade') await sellAtTarget(data).catch(console.error);
  if (sold >= Number(ROUNDS)) break;
}

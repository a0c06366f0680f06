// Buys new tokens whose creator buys at launch. Sells each at a gain of 20 %, or in its pool if it graduates first:
// npx tsx examples/bot.ts
import { readFileSync } from 'node:fs';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { formatSol, parseSol, type CurveRecord } from '@curvekit/sdk';
import { openFeed } from '@curvekit/sdk/feed';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { trade, type TradeResult } from '@curvekit/sdk/trade';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', KEYPAIR = 'id.json', ROUNDS = 'Infinity' } = process.env;
const { connection, deployment } = await connectLaunchpad(LAUNCHPAD_URL);
const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
/** By mint. A buy that has not landed yet counts, because the price may rise meanwhile. */
const held = new Map<string, Promise<TradeResult>>();
let sold = 0;

async function sell(mint: PublicKey, { tokenAmount, solAmount: paid }: TradeResult): Promise<void> {
  const order = { deployment, wallet, mint, tokenToSpend: tokenAmount };
  const { solAmount } = await trade(connection, order);
  console.log(`sold ${mint.toBase58()}: ${formatSol(solAmount)} SOL for ${formatSol(paid)}`);
  sold += 1;
  if (sold >= Number(ROUNDS)) feed.close();
}

/** What the records of one transaction ask for. A creation and its first buy are in one. */
async function act(records: readonly CurveRecord[]): Promise<void> {
  const [created, first] = records;
  if (created?.kind === 'create' && first?.kind === 'trade' && first.data.solAmount >= parseSol('0.1')) {
    const { mint, symbol } = created.data;
    const order = { deployment, wallet, mint, slippageBps: 300, solToSpend: parseSol('0.05') };
    held.set(mint.toBase58(), trade(connection, order));
    console.log(`buys ${symbol} ${mint.toBase58()}`);
  }
  for (const { kind, data } of records) {
    const buying = held.get(data.mint.toBase58());
    const bought = await buying?.catch(() => undefined);
    if (bought === undefined || held.get(data.mint.toBase58()) !== buying) continue;
    // A curve that is sold out takes no trades. Its pool does, from the graduation on.
    const isAtTarget =
      kind === 'trade' &&
      !data.finalized &&
      data.virtualSol * bought.tokenAmount * 100n >= bought.solAmount * data.virtualToken * 120n;
    if (kind !== 'graduate' && !isAtTarget) continue;
    held.delete(data.mint.toBase58());
    await sell(data.mint, bought);
  }
}

const kinds = ['create', 'trade', 'graduate'] as const;
const feed = openFeed(connection, { deployment, kinds, onError: console.error });
void feed.ready.then(() => console.log('watching'));
for await (const event of feed) {
  // Not awaited: while one token is traded, the next record is read.
  if (event.type === 'records') void act(event.records).catch(console.error);
}

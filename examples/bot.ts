// Buys new tokens whose creator buys at launch, and sells each at a gain of 20 %: KEYPAIR=id.json npx tsx examples/bot.ts
import { readFileSync } from 'node:fs';
import { Connection, Keypair } from '@solana/web3.js';
import { formatSol, formatTokens, parseSol, type CurveRecord, type TradeRecord } from '@curvekit/sdk';
import { openFeed } from '@curvekit/sdk/feed';
import { trade, type TradeResult } from '@curvekit/sdk/trade';

const { RPC_URL = 'http://127.0.0.1:8899', WS_URL, KEYPAIR = 'id.json', ROUNDS = 'Infinity' } = process.env;
const connection = new Connection(RPC_URL, {
  commitment: 'confirmed',
  ...(WS_URL && { wsEndpoint: WS_URL }),
});
const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
const held = new Map<string, TradeResult>();
let sold = 0;

// A creation and its first buy are in one transaction, so they come in one event.
async function buyIfLiked([created, first]: readonly CurveRecord[]): Promise<void> {
  if (created?.kind !== 'create' || first?.kind !== 'trade' || first.data.solAmount < parseSol('0.1')) return;
  const { mint, symbol } = created.data;
  const bought = await trade(connection, { wallet, mint, solToSpend: parseSol('0.05'), slippageBps: 300 });
  held.set(mint.toBase58(), bought);
  console.log(`bought ${formatTokens(bought.tokenAmount)} ${symbol} ${mint.toBase58()}`);
}

async function sellAtTarget({ mint, virtualSol, virtualToken }: TradeRecord): Promise<void> {
  const bought = held.get(mint.toBase58());
  if (bought === undefined || virtualSol * bought.tokenAmount * 100n < bought.solAmount * virtualToken * 120n)
    return;
  const { solAmount } = await trade(connection, { wallet, mint, tokenToSpend: bought.tokenAmount });
  held.delete(mint.toBase58());
  sold += 1;
  console.log(`sold ${mint.toBase58()}: ${formatSol(solAmount)} SOL for ${formatSol(bought.solAmount)}`);
}

const feed = openFeed(connection, { kinds: ['create', 'trade'], onError: console.error });
void feed.ready.then(() => console.log('watching'));
for await (const event of feed) {
  if (event.type !== 'records') continue;
  await buyIfLiked(event.records).catch(console.error);
  for (const { kind, data } of event.records)
    if (kind === 'trade') await sellAtTarget(data).catch(console.error);
  if (sold >= Number(ROUNDS)) break;
}

// Buys new tokens whose creator buys at launch. Sells each at a gain of 20 %, or in its pool if it graduates first:
// npx tsx examples/bot.ts
import { readFileSync } from 'node:fs';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { formatSol, formatTokens, parseSol, type CurveRecord } from '@curvekit/sdk';
import { openFeed } from '@curvekit/sdk/feed';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { trade, type TradeResult } from '@curvekit/sdk/trade';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', KEYPAIR = 'id.json', ROUNDS = 'Infinity' } = process.env;
const { connection, deployment } = await connectLaunchpad(LAUNCHPAD_URL);
const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
/** By mint. A buy that has not landed yet counts, because the price may rise meanwhile. */
const held = new Map<string, Promise<TradeResult>>();
let sold = 0;

async function buy(mint: PublicKey, symbol: string): Promise<void> {
  const solToSpend = parseSol('0.05');
  const buying = trade(connection, { deployment, wallet, mint, slippageBps: 300, solToSpend });
  held.set(mint.toBase58(), buying);
  try {
    const { tokenAmount } = await buying;
    console.log(`bought ${formatTokens(tokenAmount)} ${symbol} ${mint.toBase58()}`);
  } catch (error) {
    held.delete(mint.toBase58());
    throw error;
  }
}

/** Sells if the rule says so. A sale that fails is tried at the token's next record. */
async function sellIf(mint: PublicKey, rule: (bought: TradeResult) => boolean): Promise<void> {
  const token = mint.toBase58();
  const buying = held.get(token);
  const bought = await buying?.catch(() => undefined);
  if (bought === undefined || held.get(token) !== buying || !rule(bought)) return;
  held.delete(token);
  try {
    const tokenToSpend = bought.tokenAmount;
    const { solAmount } = await trade(connection, { deployment, wallet, mint, tokenToSpend });
    console.log(`sold ${token}: ${formatSol(solAmount)} SOL for ${formatSol(bought.solAmount)}`);
    sold += 1;
    if (sold >= Number(ROUNDS)) feed.close();
  } catch (error) {
    held.set(token, buying!);
    throw error;
  }
}

/** What the records of one transaction ask for. A creation and its first buy are in one. */
async function act(records: readonly CurveRecord[]): Promise<void> {
  const [created, first] = records;
  if (created?.kind === 'create' && first?.kind === 'trade' && first.data.solAmount >= parseSol('0.1'))
    await buy(created.data.mint, created.data.symbol);
  for (const { kind, data } of records) {
    // A curve that is sold out takes no trades. Its pool does, from the graduation on.
    if (kind === 'graduate') await sellIf(data.mint, () => true);
    if (kind !== 'trade' || data.finalized) continue;
    const { virtualSol, virtualToken } = data;
    await sellIf(
      data.mint,
      (bought) => virtualSol * bought.tokenAmount * 100n >= bought.solAmount * virtualToken * 120n,
    );
  }
}

const kinds = ['create', 'trade', 'graduate'] as const;
const feed = openFeed(connection, { deployment, kinds, onError: console.error });
void feed.ready.then(() => console.log('watching'));
for await (const event of feed) {
  // Not awaited: while one token is traded, the next record is read.
  if (event.type === 'records') void act(event.records).catch(console.error);
}

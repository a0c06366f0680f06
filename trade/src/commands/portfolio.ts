// `portfolio`
import type { Connection, PublicKey } from '@solana/web3.js';
import { PublicKey as Key } from '@solana/web3.js';
import type { Command } from 'commander';
import {
  associatedTokenAddress,
  fetchManyTokenOwnerData,
  fetchMarket,
  positionOf,
  readNode,
  TOKEN_PROGRAM_ADDRESS,
  type Market,
  type TradedSums,
} from '@curvekit/sdk';
import { MarketClient } from '@curvekit/sdk/market';
import { walletOf, withWallet, work, type Registration, type Session } from '../command.js';
import { messageOf } from '../errors.js';
import { changeText, plain, solText, tableText, tokenText } from '../output.js';

const AT_ONCE = 4;

/** A token of the launchpad that the wallet can sell. */
interface Holding {
  readonly mint: PublicKey;
  /** Token base units. */
  readonly tokenAmount: bigint;
  readonly venue: Market['venue'];
  /** Lamports that selling all of it would pay now, after fees. Null when the token does not trade. */
  readonly saleValue: bigint | null;
  /** Lamports paid and received in trades. Null where the launchpad's service does not tell them. */
  readonly paid: bigint | null;
  readonly received: bigint | null;
  /** Token units that came without a trade, or left without one when negative. Null where the service tells no trades. */
  readonly untraded: bigint | null;
  /** Lamports received, and those of a sale of all, less those paid. Null without a sale's value or trades. */
  readonly profit: bigint | null;
}

const NO_TRADES: TradedSums = { tokenAmount: 0n, paid: 0n, received: 0n };

export function registerPortfolio(program: Command, registration: Registration): void {
  const command = program
    .command('portfolio')
    .description(
      "a wallet's SOL and tokens of this launchpad, what selling all of each would pay now, and the profit since its trades (with --launchpad); tokens in associated accounts only",
    );
  work(withWallet(command), registration, runPortfolio);
}

async function runPortfolio(session: Session): Promise<void> {
  const { connection, print } = session;
  const wallet = walletOf(session);
  const lamports = BigInt(
    await readNode(connection, 'getBalance', () => connection.getBalance(wallet, 'confirmed')),
  );
  const traded = await tradedOf(session, wallet);
  const holdings = await holdingsOf(session, await balancesOf(connection, wallet), traded);
  const saleValue = holdings.reduce((sum, holding) => sum + (holding.saleValue ?? 0n), 0n);
  const rows = holdings.map(({ mint, tokenAmount, venue, saleValue: value, profit, untraded }) => [
    mint.toBase58(),
    tokenText(tokenAmount),
    value === null ? 'does not trade' : solText(value),
    ...(traded === undefined ? [] : [profit === null ? 'unknown' : changeText(profit)]),
    venue,
    ...(traded === undefined ? [] : [untradedText(untraded)]),
  ]);
  const heads = [
    { title: 'token' },
    { title: 'amount', isNumber: true },
    { title: 'sells for', isNumber: true },
    ...(traded === undefined ? [] : [{ title: 'profit', isNumber: true }]),
    { title: 'market' },
    ...(traded === undefined ? [] : [{ title: 'without a trade' }]),
  ];
  const table = rows.length === 0 ? 'no tokens of this launchpad' : tableText(heads, rows);
  const total = `${solText(lamports)} and ${solText(saleValue)} if each token was sold alone`;
  print({ wallet, lamports, saleValue, holdings }, `${table}\n\n${wallet.toBase58()}: ${total}`);
}

interface Balance {
  readonly mint: PublicKey;
  readonly tokenAmount: bigint;
}

interface ParsedAccount {
  readonly info: { readonly mint: string; readonly tokenAmount: { readonly amount: string } };
}

async function balancesOf(connection: Connection, wallet: PublicKey): Promise<Balance[]> {
  const filter = { programId: TOKEN_PROGRAM_ADDRESS };
  const { value } = await readNode(connection, 'getTokenAccountsByOwner', () =>
    connection.getParsedTokenAccountsByOwner(wallet, filter, 'confirmed'),
  );
  return value.flatMap(({ pubkey, account }) => {
    const { info } = account.data.parsed as ParsedAccount;
    const [mint, tokenAmount] = [new Key(info.mint), BigInt(info.tokenAmount.amount)];
    const isSellable = tokenAmount > 0n && associatedTokenAddress(wallet, mint).address.equals(pubkey);
    return isSellable ? [{ mint, tokenAmount }] : [];
  });
}

/** The wallet's trades by mint, from the launchpad's service. Undefined when none is named or it does not answer. */
async function tradedOf(
  { launchpadUrl, progress, terminal }: Session,
  wallet: PublicKey,
): Promise<ReadonlyMap<string, TradedSums> | undefined> {
  if (launchpadUrl === undefined) return undefined;
  try {
    const client = new MarketClient({ baseUrl: launchpadUrl });
    const { tokens } = await client.wallet(wallet.toBase58(), { signal: terminal.stopped });
    return new Map(
      tokens.map(({ mint, traded, paid, received }) => [
        mint,
        { tokenAmount: BigInt(traded), paid: BigInt(paid), received: BigInt(received) },
      ]),
    );
  } catch (error) {
    if (terminal.stopped.aborted) throw error;
    progress(`curvekit-trade: no profit is shown: ${plain(messageOf(error, undefined))}`);
    return undefined;
  }
}

function untradedText(untraded: bigint | null): string {
  if (untraded === null || untraded === 0n) return '';
  return untraded > 0n ? `${tokenText(untraded)} came, cost unknown` : `${tokenText(-untraded)} left`;
}

async function holdingsOf(
  { connection, deployment }: Session,
  balances: Balance[],
  traded: ReadonlyMap<string, TradedSums> | undefined,
): Promise<Holding[]> {
  const mints = balances.map(({ mint }) => mint);
  const curves = await fetchManyTokenOwnerData(connection, mints, { deployment, commitment: 'confirmed' });
  const own = balances.filter((_, index) => curves[index] !== null);
  const holdings: Holding[] = [];
  for (let start = 0; start < own.length; start += AT_ONCE) {
    const some = own.slice(start, start + AT_ONCE).map(async ({ mint, tokenAmount }) => {
      const market = (await fetchMarket(connection, mint, { deployment }))!;
      // The service lists every token that the wallet holds, up to a limit. One that it leaves out can have been traded.
      const sums = traded?.get(mint.toBase58());
      const { saleValue, untraded, profit } = positionOf(market, tokenAmount, sums ?? NO_TRADES);
      const known = sums && { paid: sums.paid, received: sums.received, untraded, profit };
      const unknown = { paid: null, received: null, untraded: null, profit: null };
      return {
        mint,
        tokenAmount,
        venue: market.venue,
        saleValue,
        ...(known ?? unknown),
      };
    });
    holdings.push(...(await Promise.all(some)));
  }
  return holdings.sort((a, b) => Number((b.saleValue ?? 0n) - (a.saleValue ?? 0n)));
}

// `portfolio`
import type { Connection, PublicKey } from '@solana/web3.js';
import { PublicKey as Key } from '@solana/web3.js';
import type { Command } from 'commander';
import {
  associatedTokenAddress,
  fetchManyTokenOwnerData,
  fetchMarket,
  ProgramError,
  quoteSell,
  readNode,
  TOKEN_PROGRAM_ADDRESS,
  TradingMovedError,
  type Market,
} from '@curvekit/sdk';
import { walletOf, withWallet, work, type Registration, type Session } from '../command.js';
import { solText, tableText, tokenText } from '../output.js';

const AT_ONCE = 4;

/** A token of the launchpad that the wallet can sell. */
interface Holding {
  readonly mint: PublicKey;
  /** Token base units. */
  readonly tokenAmount: bigint;
  readonly venue: Market['venue'];
  /** Lamports that selling all of it would pay now, after fees. Null when the token does not trade. */
  readonly saleValue: bigint | null;
}

export function registerPortfolio(program: Command, registration: Registration): void {
  const command = program
    .command('portfolio')
    .description(
      "a wallet's SOL and tokens of this launchpad, and what selling each of them would pay now; tokens in associated accounts only",
    );
  work(withWallet(command), registration, runPortfolio);
}

async function runPortfolio(session: Session): Promise<void> {
  const { connection, print } = session;
  const wallet = walletOf(session);
  const lamports = BigInt(
    await readNode(connection, 'getBalance', () => connection.getBalance(wallet, 'confirmed')),
  );
  const holdings = await holdingsOf(session, await balancesOf(connection, wallet));
  const saleValue = holdings.reduce((sum, holding) => sum + (holding.saleValue ?? 0n), 0n);
  const rows = holdings.map(({ mint, tokenAmount, venue, saleValue: value }) => [
    mint.toBase58(),
    tokenText(tokenAmount),
    value === null ? 'does not trade' : solText(value),
    venue,
  ]);
  const heads = [
    { title: 'token' },
    { title: 'amount', isNumber: true },
    { title: 'sells for', isNumber: true },
    { title: 'market' },
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

async function holdingsOf({ connection, deployment }: Session, balances: Balance[]): Promise<Holding[]> {
  const mints = balances.map(({ mint }) => mint);
  const curves = await fetchManyTokenOwnerData(connection, mints, { deployment, commitment: 'confirmed' });
  const own = balances.filter((_, index) => curves[index] !== null);
  const holdings: Holding[] = [];
  for (let start = 0; start < own.length; start += AT_ONCE) {
    const some = own.slice(start, start + AT_ONCE).map(async ({ mint, tokenAmount }) => {
      const market = (await fetchMarket(connection, mint, { deployment }))!;
      return { mint, tokenAmount, venue: market.venue, saleValue: saleValueOf(market, tokenAmount) };
    });
    holdings.push(...(await Promise.all(some)));
  }
  return holdings.sort((a, b) => Number((b.saleValue ?? 0n) - (a.saleValue ?? 0n)));
}

function saleValueOf(market: Market, tokenAmount: bigint): bigint | null {
  try {
    return quoteSell(market, tokenAmount).solOut;
  } catch (error) {
    if (error instanceof TradingMovedError) return null;
    if (!(error instanceof ProgramError)) throw error;
    // An amount too small to trade is worth less than one lamport. Otherwise the market is closed.
    return error.name === 'LogicalError' ? 0n : null;
  }
}

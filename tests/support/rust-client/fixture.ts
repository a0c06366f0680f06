// The SDK's results for everything that the Rust client also does. The file is committed, so `cargo test` needs no Node.
// tests/program/rust-client.test.ts checks that the committed file is up to date.
import { join } from 'node:path';
import { ROOT } from '../../../scripts/program/paths.js';
import {
  associatedTokenAddress,
  buy,
  createToken,
  DEFAULT_DEPLOYMENT,
  graduate,
  migrate,
  migrationTokensAddress,
  migrationWrappedSolAddress,
  poolAddress,
  sell,
  tokenAddresses,
  CurveStatus,
  InvalidArgumentError,
  ProgramError,
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
  quoteSellExactOut,
  type CurveState,
} from '@curvekit/sdk';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { encodeProperties, encodeTokenOwnerData } from '#sdk/generated/accounts.js';
import { encodeGraduateRecord } from '#sdk/generated/graduation/records.js';
import { encodeCreateRecord, encodeMigrateRecord, encodeTradeRecord } from '#sdk/generated/records.js';
import { MINT_RENT } from '#tests/constants.js';
import { rustCalls, tradeIn, type Vector } from '#tests/arbitraries/vectors.js';

export const FIXTURE = join(ROOT, 'crates', 'curvekit-client', 'tests', 'fixtures', 'sdk.json');
/** Enough for a clipped buy, a graduation and each refusal. `tests/program/parity.test.ts` compares a million more. */
const CALLS = 500;
const SEED = 15n;

export async function fixture(): Promise<string> {
  const quotes = (await quoteCases()).map((quote) => `    ${JSON.stringify(quote)}`);
  const rest = [
    ['addresses', addressCases()],
    ['instructions', instructionCases()],
    ['accounts', accountCases()],
    ['records', recordCases()],
  ].map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  // One line per quote keeps diffs readable.
  return `{\n  "quotes": [\n${quotes.join(',\n')}\n  ],\n${rest.join(',\n')}\n}\n`;
}

/** Keys that sort both before and after wrapped SOL's mint. */
function keyOf(byte: number): PublicKey {
  return new PublicKey(new Uint8Array(32).fill(byte));
}

const MINTS = [1, 6, 7, 200, 255].map(keyOf);
const PAYER = keyOf(2);
const TOKENS = keyOf(3);
/** Lamports already at a mint's address: none, some, more than its rent. */
const HELD = [0n, 5n, 2_000_000n];

function addressCases(): object[] {
  return MINTS.map((mint) => {
    const { curve, vault, metadata, communityWsolStorage, communityTokenStorage } = tokenAddresses(mint);
    const all = {
      curve,
      vault,
      metadata,
      communityWsol: communityWsolStorage,
      communityToken: communityTokenStorage,
      tokens: migrationTokensAddress(mint),
      wrappedSol: migrationWrappedSolAddress(mint),
      pool: poolAddress(mint),
      payersTokens: associatedTokenAddress(PAYER, mint),
    };
    const entries = Object.entries(all).map(([name, { address, bump }]) => [
      name,
      [address.toBase58(), bump],
    ]);
    return { mint: mint.toBase58(), ...(Object.fromEntries(entries) as object) };
  });
}

function instructionCases(): object[] {
  const terms = {
    payer: PAYER,
    name: 'Curve 🌊',
    symbol: 'CRV',
    mintRentLamports: MINT_RENT,
    uri: 'https://example.org/curve.json',
    afterMigrationFee: 100,
    afterMigrationBurnBp: 5_000,
    afterMigrationHoldersBp: 3_000,
    afterMigrationLpBp: 2_000,
  };
  const u64 = 2n ** 64n - 1n;
  return MINTS.map((mint) => ({
    mint: mint.toBase58(),
    createToken: HELD.map((mintLamports) => written(createToken({ ...terms, mint, mintLamports }))),
    buyToken: written(buy({ mint, payer: PAYER, solToSpend: 1n, minTokenToReceive: u64 })),
    sellToken: written(
      sell({ mint, payer: PAYER, userTokenAccount: TOKENS, tokenToSpend: u64, minSolToReceive: 2n }),
    ),
    migrate: written(migrate({ mint, feeTokenAccount: TOKENS })),
    graduate: written(graduate({ mint, payer: PAYER })),
  }));
}

function accountCases(): object {
  return {
    tokenOwnerData: hex(
      encodeTokenOwnerData({
        initialized: 2,
        virtualSol: 0x0102030405060708n,
        virtualToken: 0x1112131415161718n,
        afterMigrationFee: 0x2122,
        afterMigrationBurnBp: 0x3132,
      }),
    ),
    properties: hex(
      encodeProperties({
        initialized: 1,
        bump: 254,
        initialVirtualSol: 0x0102030405060708n,
        initialVirtualToken: 0x1112131415161718n,
        platformFeeBps: 0x2122,
      }),
    ),
  };
}

/** Every field has a different value. The Rust test repeats the same fields. */
function recordCases(): object {
  const [mint, second, third] = [keyOf(1), keyOf(2), keyOf(3)] as const;
  return {
    create: hex(
      encodeCreateRecord({
        mint,
        creator: second,
        tokenOwnerPda: third,
        name: 'Curve 🌊',
        symbol: 'CRV',
        uri: 'https://example.org',
        afterMigrationFee: 4,
        burnBp: 5,
        holdersBp: 6,
        lpBp: 7,
        virtualSol: 8n,
        virtualToken: 9n,
        platformFeeBps: 10,
        timestamp: -11n,
      }),
    ),
    trade: hex(
      encodeTradeRecord({
        mint,
        trader: second,
        isBuy: true,
        solAmount: 3n,
        tokenAmount: 4n,
        fee: 5n,
        virtualSol: 6n,
        virtualToken: 7n,
        finalized: false,
        timestamp: 8n,
      }),
    ),
    migrate: hex(
      encodeMigrateRecord({ mint, feeAccount: second, solAmount: 3n, tokenAmount: 4n, timestamp: 5n }),
    ),
    graduate: hex(
      encodeGraduateRecord({
        mint,
        pool: second,
        poolSol: 3n,
        poolToken: 4n,
        communitySol: 5n,
        communityToken: 6n,
        burnt: 7n,
        costs: 8n,
        lpBurnt: 9n,
        timestamp: 10n,
      }),
    ),
    logAuthority: DEFAULT_DEPLOYMENT.logAuthority.address.toBase58(),
    graduationFeeReceiver: DEFAULT_DEPLOYMENT.graduation.feeReceiver.address.toBase58(),
  };
}

function written(instructions: readonly TransactionInstruction[]): object[] {
  return instructions.map(({ programId, keys, data }) => ({
    program: programId.toBase58(),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => [pubkey.toBase58(), isSigner, isWritable]),
    data: hex(data),
  }));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

const SLIPPAGES = [0, 50, 100, 10_000] as const;

/** A quote as JSON, with amounts as decimal strings. `refusal` is the program's code, or null for an argument out of range. */
type QuoteCase = Readonly<Record<string, unknown>>;

/** Two quotes of each trade: exact-in, and exact-out for the trade's result. */
async function quoteCases(): Promise<QuoteCase[]> {
  const cases: QuoteCase[] = [];
  let index = 0;
  for await (const call of rustCalls(CALLS, SEED)) {
    const vector = tradeIn(call);
    if (vector === undefined) continue;
    const slippageBps = SLIPPAGES[index++ % SLIPPAGES.length]!;
    cases.push(
      quoteCase(vector, 'in', vector.amount, slippageBps),
      quoteCase(vector, 'out', yieldOf(vector), slippageBps),
    );
  }
  return cases;
}

/** Tokens out of a buy, lamports out of a sell; for a refused trade, the amount that it would spend. */
function yieldOf({ isBuy, amount, outcome }: Vector): bigint {
  if (outcome.refusal !== undefined) return amount;
  return outcome.amounts[isBuy ? 0 : 2];
}

function quoteCase(vector: Vector, exact: 'in' | 'out', amount: bigint, slippageBps: number): QuoteCase {
  const { isBuy, virtualSol, virtualToken, feeBps } = vector;
  const curve = { virtualSol, virtualToken, platformFeeBps: feeBps, initialized: CurveStatus.Trading };
  return {
    side: isBuy ? 'buy' : 'sell',
    exact,
    virtualSol: `${virtualSol}`,
    virtualToken: `${virtualToken}`,
    feeBps,
    amount: `${amount}`,
    slippageBps,
    ...outcomeOf(() => quote(curve, isBuy, exact, amount, slippageBps)),
  };
}

function quote(curve: CurveState, isBuy: boolean, exact: 'in' | 'out', amount: bigint, slippageBps: number) {
  if (isBuy) {
    const buy = (exact === 'in' ? quoteBuy : quoteBuyExactOut)(curve, amount, slippageBps);
    const { tokenOut, net, fee, clipped, graduates, solToSpend, minTokenToReceive, priceImpactBps } = buy;
    const amounts = [solToSpend, minTokenToReceive, tokenOut, net, fee, buy.virtualSol, buy.virtualToken];
    return { amounts: amounts.map(String), priceImpactBps, clipped, graduates };
  }
  const sell = (exact === 'in' ? quoteSell : quoteSellExactOut)(curve, amount, slippageBps);
  const { gross, fee, solOut, tokenToSpend, minSolToReceive, priceImpactBps } = sell;
  const amounts = [tokenToSpend, minSolToReceive, solOut, gross, fee, sell.virtualSol, sell.virtualToken];
  return { amounts: amounts.map(String), priceImpactBps };
}

function outcomeOf(make: () => object): object {
  try {
    return { quote: make() };
  } catch (error) {
    if (error instanceof ProgramError) return { refusal: error.code };
    if (error instanceof InvalidArgumentError) return { refusal: null };
    throw error;
  }
}

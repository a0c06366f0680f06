// `graduate`: what it must do, and what the accounts show.
import { AMM, BASIS_POINTS, decodeGraduateRecord } from '@curvekit/sdk';
import { keyOf, type Key } from '../differential/call.js';
import { CURVE_BYTES, curveNow, compareToken } from './curve-account.js';
import { FEE_RECEIVER, ofGraduation, TRADER_KEYS } from './keys.js';
import { must, same, type TokenState } from './state.js';
import type { Step } from './steps.js';
import { readU64, type World } from './world.js';

export type GraduateStep = Extract<Step, { is: 'graduate' }>;

const MAX_POOL_FEE = 300_000_000n;
const TOKEN_ACCOUNT = 165;
/** Accounts of a pool besides its fee: its state, its observations, its LP mint and its two vaults. */
const POOL_BYTES = [637, 4_075, 82, TOKEN_ACCOUNT, TOKEN_ACCOUNT] as const;
/** What the AMM keeps of the first liquidity, and a little more. Pools this small can be refused. */
const LITTLE_LIQUIDITY = 102n;
const CONFIG_OF_POOL = 8;
const CLOSEST = 10n ** 9n;
/** Of a record in the call that logs it. */
const TAG_BYTES = 8;
const RESERVE_OF_WRAPPED_SOL = 113;

/** What a cheating AMM does. The numbers are those of `programs/cheating-amm`. */
export const CHEATS = {
  honest: 0,
  'keeps LP tokens': 1,
  'puts less SOL into its vault': 2,
  'puts fewer tokens into its vault': 3,
  'asks more than its fee': 4,
  'gives no LP tokens': 5,
  'gives fewer LP tokens': 6,
  // With the signature that it gets:
  "becomes the delegate of the creator's wrapped SOL": 7,
  "becomes the owner of the creator's wrapped SOL": 8,
  "closes the creator's wrapped SOL and keeps its rent": 9,
  "becomes the owner of the pool's creator": 10,
} as const;
/** Fewer LP tokens are no harm: all are burnt. Nor is a delegate: the account is closed in the same transaction. */
export const HARMLESS: readonly number[] = [
  CHEATS.honest,
  CHEATS['gives fewer LP tokens'],
  CHEATS["becomes the delegate of the creator's wrapped SOL"],
];

interface Split {
  readonly communitySol: bigint;
  readonly communityToken: bigint;
  readonly poolSol: bigint;
  readonly poolToken: bigint;
  readonly burnt: bigint;
}

export function playGraduation(world: World, step: GraduateStep): string | undefined {
  const token = world.token(step.token, 2);
  const { keys } = token;
  const { wsol, token: storage } = keys.storages;
  const wasPaid = { wsol: world.lamports(wsol), token: world.amount(storage), wrapped: world.amount(wsol) };
  const sentAhead = world.lamports(keys.pool.sol);
  const given = world.lamports(ofGraduation(keys, 'poolCreator'));
  const all = lamportsOfAll(world, token, step.trader);
  const name = `graduate ${keys.index} ${step.trader}`;
  const error = world.run(world.messages.named(name, () => keys.graduate[step.trader]!).bytes);
  const split = expectedSplit(world, token, given);
  if (split === undefined) {
    must('a curve that cannot graduate does not', error !== undefined);
    return error;
  }
  if (error !== undefined) {
    must(`a sold-out curve graduates, and does not fail with ${error}`, mayFail(world, token, split, step));
    return error;
  }
  must('a cheating AMM gets no pool', HARMLESS.includes(world.cheat) || paysFromGifts(world, sentAhead));
  checkAmounts(world, token, split, wasPaid, sentAhead);
  same('the lamports of all accounts', lamportsOfAll(world, token, step.trader), all);
  same("the caller's lamports", world.lamports(TRADER_KEYS[step.trader]!), world.traders[step.trader]!);
  checkPool(world, token);
  const fees = world.lamports(FEE_RECEIVER);
  must('a graduation costs no platform fees', fees >= world.feeReceiver);
  world.feeReceiver = fees;
  return undefined;
}

/** A cheat can be paid from what other wallets sent ahead, which nobody owns: to the pool's creator, or to the SOL vault. */
function paysFromGifts(world: World, sentAhead: bigint): boolean {
  return (
    world.cheat === CHEATS['asks more than its fee'] ||
    (world.cheat === CHEATS['puts less SOL into its vault'] && sentAhead > world.rentOf(TOKEN_ACCOUNT))
  );
}

/**
 * The amounts, or undefined where the graduation must be refused.
 *
 * @param given lamports of the pool's creator before, which pay what the AMM asks above the most that a migration pays
 */
function expectedSplit(world: World, token: TokenState, given: bigint): Split | undefined {
  const rent = world.rentOf(CURVE_BYTES);
  const poolFee = world.poolFee < MAX_POOL_FEE ? world.poolFee : MAX_POOL_FEE;
  if (token.status !== 2 || world.poolFee - poolFee > given || token.curveLamports < rent) return undefined;
  const [sol, tokens] = [token.curveLamports - rent, token.vault];
  const share = (amount: bigint): bigint =>
    token.wsolOpen && token.tokenOpen
      ? (amount * BigInt(token.afterMigrationFee)) / BigInt(BASIS_POINTS)
      : 0n;
  const communitySol = share(sol);
  const communityToken = share(tokens);
  const costs = POOL_BYTES.reduce((sum, bytes) => sum + world.rentOf(bytes), poolFee);
  const poolSol = sol - communitySol - costs;
  if (poolSol <= 0n) return undefined;
  const left = tokens - communityToken;
  const atPrice = (poolSol * token.virtualToken) / token.virtualSol;
  const poolToken = atPrice < left ? atPrice : left;
  if (poolToken === 0n) return undefined;
  return { communitySol, communityToken, poolSol, poolToken, burnt: left - poolToken };
}

/** Whether something outside the program can stop the graduation. */
function mayFail(
  world: World,
  token: TokenState,
  { poolSol, poolToken }: Split,
  step: GraduateStep,
): boolean {
  const loan = 3n * world.rentOf(TOKEN_ACCOUNT);
  return (
    !HARMLESS.includes(world.cheat) ||
    world.traders[step.trader]! < loan ||
    poolSol * poolToken < LITTLE_LIQUIDITY * LITTLE_LIQUIDITY ||
    // The storages then have too little for the rent, and may not gain.
    world.rentPerByte > token.rentPerByte ||
    world.feeReceiver < world.rentOf(0)
  );
}

function checkAmounts(
  world: World,
  token: TokenState,
  split: Split,
  wasPaid: { readonly wsol: bigint; readonly token: bigint; readonly wrapped: bigint },
  sentAhead: bigint,
): void {
  const { keys } = token;
  same(
    'the lamports of the community',
    world.lamports(keys.storages.wsol),
    wasPaid.wsol + split.communitySol,
  );
  same(
    'the tokens of the community',
    world.amount(keys.storages.token),
    wasPaid.token + split.communityToken,
  );
  if (split.communitySol > 0n) {
    const { data, lamports } = world.account(keys.storages.wsol)!;
    same(
      'the wrapped SOL of the community',
      readU64(data, 64),
      lamports - readU64(data, RESERVE_OF_WRAPPED_SOL),
    );
  }
  const rent = world.rentOf(TOKEN_ACCOUNT);
  const gift = sentAhead > rent ? sentAhead - rent : 0n;
  const poolSol = world.amount(keys.pool.sol);
  must('the pool has all its SOL', poolSol >= split.poolSol);
  if (HARMLESS.includes(world.cheat)) same('the SOL of the pool', poolSol, split.poolSol + gift);
  same('the tokens of the pool', world.amount(keys.pool.token), split.poolToken);
  const { virtualSol, virtualToken } = token;
  must(
    'the pool opens at the closing price or above',
    split.poolToken * virtualSol <= split.poolSol * virtualToken,
  );
  // Otherwise there is excess SOL, as the spec says: from a gift, or from properties with too many virtual tokens.
  if (split.burnt > 0n && gift === 0n && split.poolToken >= CLOSEST)
    must(
      'the pool opens at the closing price to nine digits',
      (poolSol * virtualToken - split.poolToken * virtualSol) * CLOSEST < split.poolToken * virtualSol,
    );
  if (world.calls !== undefined) {
    const record = decodeGraduateRecord(world.calls.at(-1)!.subarray(TAG_BYTES));
    same('the SOL of the pool in the record', record.poolSol, split.poolSol);
    same('the tokens of the pool in the record', record.poolToken, split.poolToken);
    const gained = world.amount(keys.storages.wsol) - wasPaid.wrapped;
    same('the SOL of the community in the record', record.communitySol, gained);
    same('the tokens of the community in the record', record.communityToken, split.communityToken);
    same('the burnt tokens in the record', record.burnt, split.burnt);
  }
  token.status = 3;
  token.curveLamports = world.rentOf(CURVE_BYTES);
  token.supply -= split.burnt;
  token.vault = 0n;
  compareToken(world, token);
}

function checkPool(world: World, token: TokenState): void {
  const { keys } = token;
  same('the LP tokens that are left', world.supply(ofGraduation(keys, 'lpMint')), 0n);
  must('the LP mint exists', world.account(ofGraduation(keys, 'lpMint'))?.data.length === 82);
  for (const name of ['lpTokens', 'tokens', 'wrappedSol', 'poolCreator'] as const)
    same(`the lamports of ${name}`, world.lamports(ofGraduation(keys, name)), 0n);
  const pool = world.account(ofGraduation(keys, 'pool'))!;
  must('the pool is the AMM’s', keyOf(pool.owner).hex === keyOf(AMM.programId).hex);
  const config = keyOf(pool.data.subarray(CONFIG_OF_POOL, CONFIG_OF_POOL + 32));
  same("the pool's configuration", config.hex, ofGraduation(keys, 'ammConfig').hex);
  same('the status of the curve', curveNow(world, token).status, 3);
}

function lamportsOfAll(world: World, { keys }: TokenState, trader: number): bigint {
  const all = new Map<string, Key>(keys.graduate[trader]!.metas.map(({ key }) => [key.hex, key]));
  let sum = 0n;
  for (const key of all.values()) sum += world.lamports(key);
  return sum;
}

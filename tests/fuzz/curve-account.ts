// The curve's account, read without a decoder: every trade reads it.
import { checkSolvency } from './invariants.js';
import { same, Violation, type TokenState } from './state.js';
import type { World } from './world.js';

export interface CurveNow {
  readonly status: number;
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
  readonly lamports: bigint;
}

export const CURVE_BYTES = 29;

/** @throws Violation when there is none */
export function curveNow(world: World, { keys }: TokenState): CurveNow {
  const account = world.account(keys.curve);
  if (account?.data.length !== CURVE_BYTES) throw new Violation('the curve has no account');
  const { data, lamports } = account;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  return {
    status: data[8]!,
    virtualSol: view.getBigUint64(9, true),
    virtualToken: view.getBigUint64(17, true),
    lamports,
  };
}

export function compareToken(world: World, token: TokenState): void {
  const { keys } = token;
  if (token.status === 0) {
    same('the size of a curve that is not created', world.account(keys.curve)?.data.length ?? 0, 0);
    return;
  }
  const now = curveNow(world, token);
  same('the status', now.status, token.status);
  same('the virtual SOL', now.virtualSol, token.virtualSol);
  same('the virtual tokens', now.virtualToken, token.virtualToken);
  same("the curve's lamports", now.lamports, token.curveLamports);
  same('the tokens in the vault', world.amount(keys.vault), token.vault);
  same('the supply', world.supply(keys.mint), token.supply);
  token.held.forEach((held, trader) =>
    same(`the tokens of trader ${trader}`, world.amount(keys.held[trader]!), held ?? 0n),
  );
}

const ACCOUNT_OVERHEAD = 128;

/** @param vault tokens in the curve's vault */
export function checkCover(token: TokenState, now: CurveNow, vault: bigint): void {
  const rent = token.rentPerByte * BigInt(ACCOUNT_OVERHEAD + CURVE_BYTES);
  checkSolvency(now, vault, token.initialSol, now.lamports - rent, token.paid, token.got);
}

/** Of all curves that trade or are sold out: what other wallets do to accounts must not change it. */
export function checkCovers(world: World): void {
  for (const token of world.tokens)
    if (token.status === 1 || token.status === 2)
      checkCover(token, curveNow(world, token), world.amount(token.keys.vault));
}

// One step in a world.
import { FEE_RECEIVER, TRADER_KEYS } from './keys.js';
import { checkCovers, compareToken } from './curve-account.js';
import { playGraduation } from './graduations.js';
import { playHostile, playMigrate, type HostileStep } from './hostile.js';
import { playCreation, playSettings, playSweep } from './launches.js';
import { same } from './state.js';
import type { Step } from './steps.js';
import { playBurn, playClose, playCloseStorage, playGift, playReopen, playTokenGift } from './strangers.js';
import { playTrade } from './trades.js';
import type { World } from './world.js';

/** Steps that change accounts of a curve without its program. */
const STRANGE: ReadonlySet<Step['is']> = new Set([
  'gift',
  'gift of tokens',
  'burn',
  'close',
  'close storage',
]);

/**
 * @returns the error of a refused step, or undefined
 * @throws Violation when the step did what it must not
 */
export function play(world: World, step: Step): string | undefined {
  const error = playOne(world, step);
  if (STRANGE.has(step.is)) checkCovers(world);
  return error;
}

function playOne(world: World, step: Step): string | undefined {
  if ('alteration' in step && step.alteration !== undefined) return playHostile(world, step as HostileStep);
  switch (step.is) {
    case 'buy':
    case 'sell':
      return playTrade(world, step);
    case 'create':
      return playCreation(world, step);
    case 'graduate':
      return playGraduation(world, step);
    case 'sweep':
      return playSweep(world, step);
    case 'migrate':
      return playMigrate(world, step);
    case 'settings':
      return playSettings(world, step);
    case 'gift':
      return playGift(world, step);
    case 'gift of tokens':
      return playTokenGift(world, step);
    case 'burn':
      return playBurn(world, step);
    case 'close':
      return playClose(world, step);
    case 'reopen':
      return playReopen(world, step);
    case 'close storage':
      return playCloseStorage(world, step);
    case 'wallet':
      world.set(TRADER_KEYS[step.trader]!, step.lamports);
      world.traders[step.trader] = step.lamports;
      return undefined;
    case 'pool fee':
      world.setPoolFee(step.lamports);
      return undefined;
    case 'rent':
      world.setRent(step.lamportsPerByte);
      return undefined;
  }
}

/** Compares everything that is known with the accounts. */
export function audit(world: World): void {
  for (const token of world.tokens) compareToken(world, token);
  world.traders.forEach((lamports, trader) =>
    same(`the lamports of trader ${trader}`, world.lamports(TRADER_KEYS[trader]!), lamports),
  );
  same('the lamports of the fee receiver', world.lamports(FEE_RECEIVER), world.feeReceiver);
}

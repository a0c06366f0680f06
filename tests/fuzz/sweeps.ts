// `sweep`: the platform's fees to its treasury.
import { sweepFees } from '@curvekit/sdk';
import { callOf, type Call } from '../differential/call.js';
import { FEE_RECEIVER, TRADER_KEYS, TREASURY } from './keys.js';
import { signedBy } from './launches.js';
import { must, same } from './state.js';
import type { Step } from './steps.js';
import type { World } from './world.js';

const NOTHING_TO_SWEEP = '6006';

export function sweepCall(): Call {
  return callOf(sweepFees()[0]!);
}

export function playSweep(world: World, { trader }: Extract<Step, { is: 'sweep' }>): string | undefined {
  const before = world.lamports(TREASURY);
  const name = `sweep ${trader ?? 'by the admin'}`;
  const { bytes } = world.messages.named(name, () =>
    trader === undefined ? sweepCall() : signedBy(sweepCall(), TRADER_KEYS[trader]!),
  );
  const error = world.run(bytes);
  if (trader !== undefined) {
    must('only the admin sweeps', error !== undefined);
    return error;
  }
  const rent = world.rentOf(0);
  const above = world.feeReceiver - rent;
  if (above <= 0n) {
    same('the result of a sweep of nothing', error, NOTHING_TO_SWEEP);
    return error;
  }
  if (error !== undefined) {
    // The treasury must get at least its rent.
    must(`a sweep succeeds, and does not fail with ${error}`, before + above < rent);
    return error;
  }
  same('the lamports of the treasury', world.lamports(TREASURY), before + above);
  same('the lamports of the fee receiver', world.lamports(FEE_RECEIVER), rent);
  world.feeReceiver = rent;
  return undefined;
}

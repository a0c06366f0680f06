// Calls with one thing wrong. Each must be refused.
import { GRADUATE_ACCOUNTS } from '@curvekit/sdk';
import { rawMigrate } from '#tests/program/raw-instructions.js';
import { callOf, publicKeyOf, type Call, type Key, type Meta } from '../differential/call.js';
import { creationOf, settingsOf, sweepCall } from './launches.js';
import { OTHER_CONFIG, PLACES, type TokenKeys } from './keys.js';
import { must } from './state.js';
import type { Alteration, Step } from './steps.js';
import { tradeCall } from './trades.js';
import type { World } from './world.js';

export type HostileStep = Extract<Step, { alteration?: Alteration }> & { readonly alteration: Alteration };

/** Accounts of `graduate` that only the AMM checks. A cheating one need not. */
const CHECKED_BY_AMM: readonly number[] = [
  'ammAuthority',
  'lpMint',
  'lpTokens',
  'poolVault0',
  'poolVault1',
  'poolFeeReceiver',
  'observation',
  'ataProgram',
  'rentSysvar',
].map((name) => GRADUATE_ACCOUNTS[name as keyof typeof GRADUATE_ACCOUNTS]);

export function playHostile(world: World, step: HostileStep): string | undefined {
  const call = callOfStep(world, step);
  const altered = alter(call, step, world.ammChecks);
  if (altered === undefined) return 'nothing to alter';
  const error = world.send(altered);
  must(`a call with ${describe(step.alteration)} is refused`, error !== undefined);
  return error;
}

function callOfStep(world: World, step: HostileStep): Call {
  switch (step.is) {
    case 'buy':
    case 'sell': {
      const call = tradeCall(step, world.token(step.token, 1).keys);
      const data = Buffer.from(call.data);
      data.writeBigUInt64LE(step.amount.is === 'value' ? step.amount.value : 1_000_000n, 9);
      return { ...call, data };
    }
    case 'create':
      return creationOf(world.token(step.token, 0), step);
    case 'graduate':
      return world.token(step.token, 2).keys.graduate[step.trader]!;
    case 'sweep':
      return sweepCall();
    case 'settings':
      return settingsOf(step);
  }
}

/** The altered call, or undefined where the alteration changes nothing that matters. */
function alter(call: Call, step: HostileStep, ammChecks: boolean): Call | undefined {
  const { alteration } = step;
  const { metas, data } = call;
  const at = 'account' in alteration ? alteration.account % metas.length : 0;
  const meta = metas[at]!;
  const changed = (by: Partial<Meta>): Call => ({
    ...call,
    metas: metas.map((each, index) => (index === at ? { ...each, ...by } : each)),
  });
  switch (alteration.is) {
    case 'substitute': {
      const key = substituteOf(step, at, alteration.by);
      if (key === undefined || key.hex === meta.key.hex) return undefined;
      if (!ammChecks && step.is === 'graduate' && CHECKED_BY_AMM.includes(at)) return undefined;
      return changed({ key });
    }
    case 'unsigned':
      return meta.isSigner ? changed({ isSigner: false }) : undefined;
    case 'read-only':
      // Of the other calls, some accounts need to be writable in some states only.
      return meta.isWritable && (step.is === 'buy' || step.is === 'sell')
        ? changed({ isWritable: false })
        : undefined;
    case 'fewer accounts':
      return { ...call, metas: metas.slice(0, alteration.left % metas.length) };
    case 'shorter data':
      return { ...call, data: data.subarray(0, alteration.left % data.length) };
    case 'other bump': {
      if (step.is === 'settings' || step.is === 'sweep' || step.is === 'create') return undefined;
      const bytes = Buffer.from(data);
      bytes[8]! ^= alteration.flip;
      return alteration.flip === 0 ? undefined : { ...call, data: bytes };
    }
  }
}

/** Another account. Undefined where the call would be as good with it. */
function substituteOf(step: HostileStep, at: number, by: number): Key | undefined {
  // The configuration that matters most is likely.
  if (step.is === 'graduate' && at === GRADUATE_ACCOUNTS.ammConfig && by % 2 === 0) return OTHER_CONFIG;
  const key = PLACES[by % PLACES.length]!;
  // Any wallet may pay for a creation or a graduation, and without signature checks any address is one.
  const isPayer = (step.is === 'create' && at === 1) || (step.is === 'graduate' && at === 0);
  return isPayer ? undefined : key;
}

function describe(alteration: Alteration): string {
  return Object.entries(alteration)
    .map(([name, value]) => (name === 'is' ? String(value) : `${name} ${value}`))
    .join(', ');
}

/** A migration without the graduation program. */
export function migrationOf({ addressed }: TokenKeys, feeTokenAccount: Key): Call {
  return callOf(rawMigrate(addressed.mint, { accounts: { feeTokenAccount: publicKeyOf(feeTokenAccount) } }));
}

/** Into any token account: the fee receiver does not sign. */
export function playMigrate(world: World, { token }: Extract<Step, { is: 'migrate' }>): string | undefined {
  const { keys } = world.tokens[token]!;
  const call = migrationOf(keys, keys.held[0]!);
  const metas = call.metas.map((meta) => ({ ...meta, isSigner: false }));
  const error = world.send({ ...call, metas });
  must('a migration that the fee receiver has not signed is refused', error !== undefined);
  return error;
}

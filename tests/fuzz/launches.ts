// Creations of tokens, changes of the settings, and sweeps of the platform's fees.
import {
  decodeProperties,
  GRADUATION_VIRTUAL_TOKEN,
  MAX_PLATFORM_FEE_BPS,
  sweepFees,
  TOKEN_SUPPLY,
} from '@curvekit/sdk';
import { rawAdminSetProperties, rawCreateToken } from '#tests/program/raw-instructions.js';
import { callOf, publicKeyOf, type Call, type Key } from '../differential/call.js';
import { CURVE_BYTES, compareToken, curveNow } from './curve-account.js';
import { ADMIN, FEE_RECEIVER, PROPERTIES, TRADER_KEYS, TREASURY } from './keys.js';
import { must, same, type TokenState } from './state.js';
import type { Step } from './steps.js';
import type { World } from './world.js';

export type CreateStep = Extract<Step, { is: 'create' }>;
export type SettingsStep = Extract<Step, { is: 'settings' }>;

/** Rents and Metaplex's fee of a creation are less, at any rent of a step. */
const COSTS_AT_MOST = 1_000_000_000n;
const U64_MAX = 2n ** 64n - 1n;
const LOGICAL_ERROR = '6005';
const MINT_AUTHORITY = 0;

export function creationOf(token: TokenState, { trader, afterMigrationFee }: CreateStep): Call {
  const args = {
    name: 'Fuzz',
    symbol: 'FUZZ',
    uri: 'https://example.org/fuzz.json',
    afterMigrationFee,
    afterMigrationBurnBp: 2_000,
    afterMigrationHoldersBp: 3_000,
    afterMigrationLpBp: 2_000,
  };
  return callOf(rawCreateToken(token.keys.addressed.mint, publicKeyOf(TRADER_KEYS[trader]!), { args }));
}

export function playCreation(world: World, step: CreateStep): string | undefined {
  const { trader, afterMigrationFee } = step;
  const token = world.token(step.token, 0);
  const name = `create ${token.keys.index} ${trader} ${afterMigrationFee}`;
  const error = world.run(world.messages.named(name, () => creationOf(token, step)).bytes);
  const { settings } = world;
  if (token.status !== 0 || settings === undefined) {
    must('a token that exists is not created again', error !== undefined);
    return error;
  }
  const before = world.traders[trader]!;
  const after = world.lamports(TRADER_KEYS[trader]!);
  world.traders[trader] = after;
  if (error !== undefined) {
    must(`a creation that can be paid succeeds, and does not fail with ${error}`, before < COSTS_AT_MOST);
    return error;
  }
  must('a creation costs at most a SOL', before - after < COSTS_AT_MOST);
  const rent = world.rentOf(CURVE_BYTES);
  token.status = 1;
  token.virtualSol = settings.virtualSol;
  token.virtualToken = settings.virtualToken;
  token.initialSol = settings.virtualSol;
  token.afterMigrationFee = afterMigrationFee;
  token.vault = token.supply = TOKEN_SUPPLY;
  token.wsolOpen = token.tokenOpen = true;
  token.rentPerByte = world.rentPerByte;
  // Lamports that were sent ahead stay.
  const { lamports } = curveNow(world, token);
  same("the curve's lamports", lamports, token.curveLamports > rent ? token.curveLamports : rent);
  token.curveLamports = lamports;
  compareToken(world, token);
  checkMint(world, token);
  return undefined;
}

/** Nobody can make more tokens, or freeze any. */
function checkMint(world: World, { keys }: TokenState): void {
  const { data } = world.account(keys.mint)!;
  same('the option of a mint authority', data[MINT_AUTHORITY], 0);
  same('the option of a freeze authority', data[46], 0);
}

export function settingsOf({ virtualSol, virtualToken, feeBps }: SettingsStep): Call {
  const args = { initialVirtualSol: virtualSol, initialVirtualToken: virtualToken, platformFeeBps: feeBps };
  return callOf(rawAdminSetProperties({ args }));
}

export function playSettings(world: World, step: SettingsStep): string | undefined {
  const { trader, virtualSol, virtualToken, feeBps } = step;
  const call = settingsOf(step);
  // The admin pays the network's fee too: its account is then writable, and can pay the rent of the settings.
  const error =
    trader === undefined ? world.send(call, ADMIN) : world.send(signedBy(call, TRADER_KEYS[trader]!));
  const allowed =
    virtualSol > 0n &&
    virtualToken > TOKEN_SUPPLY &&
    virtualToken < TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN &&
    virtualSol * virtualToken <= GRADUATION_VIRTUAL_TOKEN * U64_MAX &&
    feeBps <= MAX_PLATFORM_FEE_BPS;
  if (trader !== undefined) {
    must('only the admin changes the settings', error !== undefined);
    return error;
  }
  same('the result of new settings', error, allowed ? undefined : LOGICAL_ERROR);
  if (error !== undefined) return error;
  const now = decodeProperties(world.account(PROPERTIES)!.data);
  same('the virtual SOL of new curves', now.initialVirtualSol, virtualSol);
  same('the virtual tokens of new curves', now.initialVirtualToken, virtualToken);
  same('the fee', now.platformFeeBps, feeBps);
  world.settings = { virtualSol, virtualToken, feeBps: BigInt(feeBps) };
  return undefined;
}

export function signedBy(call: Call, wallet: Key): Call {
  const metas = call.metas.map((meta) => (meta.key.hex === ADMIN.hex ? { ...meta, key: wallet } : meta));
  return { ...call, metas };
}

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

// Counts the outcomes of each instruction, and lists the outcomes that a sweep must reach.
import {
  ATA_PROGRAM_ADDRESS,
  PROGRAM_ADDRESS,
  PROGRAM_ERRORS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import { frameworkErrorName } from '#sdk/errors/framework.js';
import { OTHER_DEPLOYMENT } from './arena.js';
import { publicKeyOf } from './call.js';
import type { Played } from './play.js';
import { INSTRUCTIONS, type Instruction } from './steps.js';

const PROGRAM_NAMES: Readonly<Record<string, string>> = {
  [PROGRAM_ADDRESS.toBase58()]: 'Curve',
  [publicKeyOf(OTHER_DEPLOYMENT).toBase58()]: 'Curve',
  [SYSTEM_PROGRAM_ADDRESS.toBase58()]: 'System',
  [TOKEN_PROGRAM_ADDRESS.toBase58()]: 'Token',
  [ATA_PROGRAM_ADDRESS.toBase58()]: 'ATA',
  [TOKEN_METADATA_PROGRAM_ADDRESS.toBase58()]: 'Metaplex',
};

const FRAMEWORK = [
  '101 InstructionFallbackNotFound',
  '102 InstructionDidNotDeserialize',
  '2000 ConstraintMut',
  '2012 ConstraintAddress',
  '3005 AccountNotEnoughKeys',
  '3010 AccountNotSigner',
  '4100 DeclaredProgramIdMismatch',
] as const;
const CURVE_AND_TOKENS = [
  '2014 ConstraintTokenMint',
  '2015 ConstraintTokenOwner',
  '3001 AccountDiscriminatorNotFound',
  '3002 AccountDiscriminatorMismatch',
  '3007 AccountOwnedByWrongProgram',
  '3008 InvalidProgramId',
  '3012 AccountNotInitialized',
  '6000 BondingCurveDoesNotMatchMint',
  '6004 WrongFeeReceiver',
  '6005 LogicalError',
  'Curve InvalidAccountData',
  'Curve UninitializedAccount',
  'Token 17',
] as const;
const TRADE = [
  'success',
  ...FRAMEWORK,
  ...CURVE_AND_TOKENS,
  '6001 TradingClosed',
  '6003 SlippageError',
] as const;

/** What a sweep reaches of each instruction. */
const EXPECTED: Readonly<Record<Instruction, readonly string[]>> = {
  buyToken: [...TRADE, 'success, graduated'],
  sellToken: [...TRADE, 'Token 1'],
  migrate: [
    'success',
    ...FRAMEWORK.filter((name) => !name.startsWith('2012')),
    ...CURVE_AND_TOKENS,
    '6002 NotReadyToMigrate',
  ],
  validateLogRecord: [
    'success',
    ...FRAMEWORK.filter((name) => !name.startsWith('2000')),
    '6005 LogicalError',
  ],
  createToken: [
    'success',
    ...FRAMEWORK,
    '3007 AccountOwnedByWrongProgram',
    '3008 InvalidProgramId',
    '6000 BondingCurveDoesNotMatchMint',
    '6005 LogicalError',
  ],
  adminSetProperties: ['success', ...FRAMEWORK, '3008 InvalidProgramId', '6005 LogicalError'],
};

/** Counts steps by instruction and outcome. */
export class Tally {
  readonly #seen = new Map<Instruction, Set<string>>(INSTRUCTIONS.map((name) => [name, new Set()]));
  #steps = 0;

  /** Total number of steps. */
  get steps(): number {
    return this.#steps;
  }

  add({ instruction, result }: Played): void {
    this.#steps += 1;
    if (instruction === undefined) return;
    this.#seen.get(instruction)!.add(outcomeOf(result));
  }

  /** Expected outcomes that did not occur. */
  missing(): string[] {
    return INSTRUCTIONS.flatMap((instruction) =>
      EXPECTED[instruction]
        .filter((outcome) => !this.#seen.get(instruction)!.has(outcome))
        .map((outcome) => `${instruction}: ${outcome}`),
    );
  }
}

/** `6003 SlippageError`, `Token 17`, `Curve InvalidAccountData`, `InsufficientFundsForRent`. */
export function outcomeOf(result: string): string {
  const [reason = '', program] = result.split(' of ');
  if (program === undefined) return reason.split(' {')[0]!;
  const where = PROGRAM_NAMES[program] ?? program;
  const name = where === 'Curve' ? errorName(Number(reason)) : undefined;
  return name === undefined ? `${where} ${reason}` : `${reason} ${name}`;
}

function errorName(code: number): string | undefined {
  const own: Readonly<Record<number, { readonly name: string }>> = PROGRAM_ERRORS;
  return own[code]?.name ?? frameworkErrorName(code);
}

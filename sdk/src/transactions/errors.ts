// Turns a cluster's error of a failed transaction into a typed error that names the instruction.
import { DEFAULT_DEPLOYMENT, type Deployment } from '../accounts/deployment.js';
import * as AMM from '../amm/in-use.js';
import { PublicKey } from '../chain/keys.js';
import type { VersionedTransaction } from '../chain/types.js';
import { requireObject } from '../checks/options.js';
import { startsWith } from '../codec/borsh.js';
import { decodeBase58 } from '../encoding/base58.js';
import { frameworkErrorName } from '../errors/framework.js';
import {
  FrameworkError,
  GraduationError,
  InstructionError,
  isProgramError,
  ProgramError,
  TransactionError,
  type FailureDetails,
} from '../errors/index.js';
import { PROGRAM_ERRORS, type ProgramErrorCode } from '../generated/errors.js';
import {
  PROGRAM_ERRORS as GRADUATION_ERRORS,
  type ProgramErrorCode as GraduationErrorCode,
} from '../generated/graduation/errors.js';
import { INSTRUCTION_DISCRIMINATORS as GRADUATION_DISCRIMINATORS } from '../generated/graduation/instructions.js';
import { INSTRUCTION_DISCRIMINATORS, type InstructionName } from '../generated/instructions.js';
import { failedProgram } from '../records/logs.js';
import { requireTransaction } from '../records/require-transaction.js';
import type { ConfirmedTransaction, TransactionMeta } from '../records/transaction.js';

/** The part of an instruction that an error message needs. A TransactionInstruction has it. */
export interface SentInstruction {
  readonly programId: PublicKey;
  readonly data: Uint8Array;
}

/** Known details of the transaction. More details give a more precise error. */
export interface FailureContext {
  /** The transaction's log. It shows which program failed, also for an inner instruction. */
  readonly logs?: readonly string[] | null | undefined;
  /** The transaction's instructions, as a VersionedTransaction or as a list. They show which instruction failed. */
  readonly instructions?: VersionedTransaction | readonly SentInstruction[] | undefined;
  readonly signature?: string | undefined;
  readonly deployment?: Deployment | undefined;
  /** Stored as the `cause` of the typed error. */
  readonly cause?: unknown;
}

/**
 * The typed error for the `err` of a simulation, a signature status or a confirmed transaction's metadata.
 *
 * A code counts as this program's only when the log or the instruction says that this program raised it.
 */
export function transactionError(err: unknown, context: FailureContext = {}): TransactionError {
  requireObject('context', context);
  const details = { logs: context.logs ?? undefined, signature: context.signature, cause: context.cause };
  const failure = (err as { InstructionError?: [number, unknown] } | null)?.InstructionError;
  if (failure === undefined) {
    const reason = nameOf(err);
    return new TransactionError(reason, `the transaction was refused: ${reason}`, details);
  }
  const [index, cause] = failure;
  const code = (cause as { Custom?: number } | null)?.Custom;
  return instructionError(index, code, nameOf(cause), context, details);
}

/** The typed error of a simulation's result (`simulateTransaction(...).value`). Null when the simulation succeeded. */
export function simulationError(
  result: { readonly err: unknown; readonly logs: readonly string[] | null },
  context: FailureContext = {},
): TransactionError | null {
  requireObject('result', result);
  requireObject('context', context);
  return result.err === null
    ? null
    : transactionError(result.err, { ...context, logs: context.logs ?? result.logs });
}

/** The typed error of a confirmed transaction as `getTransaction` returns it. Null when the transaction succeeded. */
export function confirmedError(
  transaction: {
    readonly transaction: ConfirmedTransaction['transaction'];
    readonly meta: Pick<TransactionMeta, 'err' | 'logMessages'> | null;
  },
  context: FailureContext = {},
): TransactionError | null {
  requireTransaction(transaction);
  requireObject('context', context);
  const { meta } = transaction;
  if (meta === null || meta.err === null) return null;
  return transactionError(meta.err, {
    ...context,
    logs: context.logs ?? meta.logMessages,
    instructions: context.instructions ?? instructionsOf(transaction.transaction.message),
    signature: context.signature ?? transaction.transaction.signatures[0],
  });
}

/**
 * The typed error for an error of `sendTransaction` and similar functions (web3.js's SendTransactionError). Undefined
 * for other errors, such as a network failure.
 */
export function sendError(error: unknown, context: FailureContext = {}): TransactionError | undefined {
  const failure = (error as { transactionError?: { message?: unknown; logs?: string[] } } | null)
    ?.transactionError;
  if (typeof failure?.message !== 'string') return undefined;
  const full: FailureContext = {
    ...context,
    logs: context.logs ?? failure.logs,
    cause: context.cause ?? error,
  };
  const details = { logs: full.logs ?? undefined, signature: full.signature, cause: full.cause };
  const [, index, reason = ''] = PROCESSING_ERROR.exec(failure.message) ?? [];
  if (index === undefined) {
    const refusal = failure.message.replace(SIMULATION_PREFIX, '');
    return new TransactionError(refusal, `the transaction was refused: ${refusal}`, details);
  }
  const code = CUSTOM_ERROR.exec(reason)?.[1];
  return instructionError(
    Number(index),
    code === undefined ? undefined : Number(code),
    reason,
    full,
    details,
  );
}

/**
 * The instruction name of some instruction data. Undefined when the data is not for one of this program's instructions.
 */
export function instructionName(data: Uint8Array): InstructionName | undefined {
  const entries = Object.entries(INSTRUCTION_DISCRIMINATORS) as [InstructionName, Uint8Array][];
  return entries.find(([, discriminator]) => startsWith(data, discriminator))?.[0];
}

const PROCESSING_ERROR = /Error processing Instruction (\d+): (.*?)\.?\s*$/s;
const CUSTOM_ERROR = /^custom program error: (0x[0-9a-f]+)/i;
const SIMULATION_PREFIX = /^Transaction simulation failed: /;

function instructionError(
  index: number,
  code: number | undefined,
  reason: string,
  { logs, instructions, deployment = DEFAULT_DEPLOYMENT }: FailureContext,
  base: FailureDetails,
): TransactionError {
  const sent = instructions === undefined ? undefined : asList(instructions)[index];
  const name = sent === undefined ? undefined : nameOfSent(sent, deployment);
  const details = { ...base, instruction: { index, name } };
  const programId = failedProgram(logs ?? []) ?? sent?.programId.toBase58();
  const isCurve = programId === deployment.programId.toBase58();
  const isGraduation = programId === deployment.graduation.programId.toBase58();
  if (code !== undefined && (isCurve || isGraduation)) {
    if (isCurve && isProgramErrorCode(code)) return new ProgramError(code, details);
    if (isGraduation && isGraduationErrorCode(code)) return new GraduationError(code, details);
    const errorName = frameworkErrorName(code);
    if (errorName !== undefined) return new FrameworkError(code, errorName, details);
  }
  const ofAmm =
    code !== undefined && programId === AMM.programId.toBase58() ? AMM.errorName(code) : undefined;
  return new InstructionError(programId, code, ofAmm ?? reason, details);
}

/** Whether a trade failed because its price was worse than its minimum allows, on the curve or in the pool. */
export function isSlippageError(error: unknown): error is TransactionError {
  if (isProgramError(error, 'SlippageError')) return true;
  if (!(error instanceof InstructionError) || error.code === undefined) return false;
  return error.programId === AMM.programId.toBase58() && AMM.isSlippage(error.code);
}

/** An instruction's name, if it belongs to one of the deployment's two programs. */
function nameOfSent({ programId, data }: SentInstruction, deployment: Deployment): string | undefined {
  if (programId.equals(deployment.programId)) return instructionName(data);
  if (!programId.equals(deployment.graduation.programId)) return undefined;
  return Object.entries(GRADUATION_DISCRIMINATORS).find(([, tag]) => startsWith(data, tag))?.[0];
}

function isGraduationErrorCode(code: number): code is GraduationErrorCode {
  return Object.hasOwn(GRADUATION_ERRORS, code);
}

function isProgramErrorCode(code: number): code is ProgramErrorCode {
  return Object.hasOwn(PROGRAM_ERRORS, code);
}

function asList(instructions: VersionedTransaction | readonly SentInstruction[]): readonly SentInstruction[] {
  return 'message' in instructions ? instructionsOf(instructions.message) : instructions;
}

/** Program ids never come from lookup tables. */
function instructionsOf(message: ConfirmedTransaction['transaction']['message']): SentInstruction[] {
  if ('instructions' in message) {
    return message.instructions.flatMap(({ programIdIndex, data }) => {
      const programId = message.accountKeys[programIdIndex];
      if (programId === undefined) return [];
      return [
        {
          programId: new PublicKey(programId),
          data: typeof data === 'string' ? decodeBase58(data) : data,
        },
      ];
    });
  }
  return message.compiledInstructions.flatMap(({ programIdIndex, data }) => {
    const programId = message.staticAccountKeys[programIdIndex];
    return programId === undefined ? [] : [{ programId, data }];
  });
}

/** The runtime writes an error as `"Name"` or as `{ "Name": detail }`. */
function nameOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return String(error);
  return Object.keys(error)[0] ?? 'Unknown';
}

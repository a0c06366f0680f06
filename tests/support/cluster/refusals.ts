// Names the error of a refused transaction as the tests' tables do, and checks that a refusal changes nothing.
import type { Keypair, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  ATA_PROGRAM_ADDRESS,
  FrameworkError,
  GraduationError,
  InstructionError,
  ProgramError,
  PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  TransactionError,
} from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { accountsOf, snapshot } from './accounts.js';
import { rejection } from '#tests/mocha/failures.js';

// Errors of the program, in the format of `refusalOf`.
export const MATCH = '6000 BondingCurveDoesNotMatchMint';
export const SLIPPAGE = '6003 SlippageError';
export const LOGICAL = '6005 LogicalError';

const PROGRAM_NAMES = new Map(
  (
    [
      [PROGRAM_ADDRESS, 'Curve'],
      [SYSTEM_PROGRAM_ADDRESS, 'System'],
      [TOKEN_PROGRAM_ADDRESS, 'Token'],
      [ATA_PROGRAM_ADDRESS, 'AssociatedToken'],
      [TOKEN_METADATA_PROGRAM_ADDRESS, 'Metaplex'],
    ] as const
  ).map(([address, name]) => [address.toBase58(), name]),
);

/**
 * `6003 SlippageError` for the program's own errors, `2012 ConstraintAddress` for Anchor's, `Token 1` or
 * `System AccountBorrowFailed` for another program's, and the runtime's name for the rest.
 */
export function refusalOf(error: TransactionError): string {
  if (error instanceof ProgramError || error instanceof GraduationError) return `${error.code} ${error.name}`;
  if (error instanceof FrameworkError) return `${error.code} ${error.errorName}`;
  if (!(error instanceof InstructionError)) return error.reason;
  const program = PROGRAM_NAMES.get(error.programId ?? '') ?? error.programId ?? 'unknown program';
  return `${program} ${error.code ?? error.reason}`;
}

/** The name of a transaction's refusal. Fails if the transaction succeeds. */
export async function refusal(sending: Promise<unknown>): Promise<string> {
  return refusalOf(await rejection(sending, TransactionError));
}

/**
 * Sends instructions that the program must refuse, paid by the cluster's own wallet. Checks the refusal, and that no
 * account of
 * the instructions has changed in any byte or lamport.
 */
export async function expectRefused(
  cluster: LocalCluster,
  instructions: readonly TransactionInstruction[],
  signers: readonly Keypair[],
  expected: string,
): Promise<TransactionError> {
  const { connection, payer } = cluster;
  const addresses = accountsOf(instructions).filter((address) => !address.equals(payer.publicKey));
  const before = await snapshot(connection, addresses);
  const error = await rejection(cluster.send(instructions, [payer, ...signers]), TransactionError);
  expect(refusalOf(error)).to.equal(expected, error.message);
  const after = await snapshot(connection, addresses);
  expect(after).to.deep.equal(before, 'the refused transaction moved something');
  return error;
}

// What a wallet is asked to sign is looked at first: a claim gives, it never takes.
import {
  ComputeBudgetProgram,
  type PublicKey,
  SystemProgram,
  type MessageCompiledInstruction,
  type VersionedTransaction,
} from '@solana/web3.js';
import { associatedTokenAddress } from '../addresses.js';
import { CurvekitError } from '../errors.js';
import { ATA_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../generated/program.js';

/** The transaction that the service returned is not the claim that was asked for. Do not sign it. */
export class UntrustedTransactionError extends CurvekitError {
  constructor(problem: string) {
    super(`the transaction is not the claim that was asked for: ${problem}`);
    this.name = 'UntrustedTransactionError';
  }
}

/** What was asked for. */
export interface ExpectedClaim {
  readonly wallet: PublicKey;
  readonly mint: PublicKey;
  readonly burn: boolean;
}

const SYSTEM_TRANSFER = 2;
const TRANSFER_CHECKED = 12;
const BURN_CHECKED = 15;
const CLOSE_ACCOUNT = 9;
const NO_KIND = -1;

/**
 * Makes sure that signing the transaction costs the wallet nothing: it pays no fee, sends nothing, and burns only what it
 * receives in the same transaction, if it asked for that.
 *
 * @throws UntrustedTransactionError
 */
export function requireClaim({ message }: VersionedTransaction, expected: ExpectedClaim): void {
  if (message.addressTableLookups.length > 0) throw new UntrustedTransactionError('it looks addresses up');
  const keys = message.staticAccountKeys;
  const { wallet } = expected;
  const signers = keys.slice(0, message.header.numRequiredSignatures);
  if (keys[0]!.equals(wallet)) throw new UntrustedTransactionError('the wallet would pay its fee');
  if (!signers.some((key) => key.equals(wallet)))
    throw new UntrustedTransactionError('it needs no signature of the wallet');

  let received = 0n;
  for (const instruction of message.compiledInstructions) {
    const program = keys[instruction.programIdIndex];
    const account = (index: number) => keys[instruction.accountKeyIndexes[index] ?? -1];
    if (program?.equals(ComputeBudgetProgram.programId)) continue;
    if (program?.equals(SystemProgram.programId)) requireGift(instruction, account(0), expected);
    else if (program?.equals(ATA_PROGRAM_ADDRESS)) requireNotPaying(account(0), expected);
    else if (program?.equals(TOKEN_PROGRAM_ADDRESS)) received += tokenEffect(instruction, account, expected);
    else throw new UntrustedTransactionError(`it calls ${String(program)}`);
  }
  if (received < 0n) throw new UntrustedTransactionError('it burns more than it gives');
}

function requireGift(
  { data }: MessageCompiledInstruction,
  from: PublicKey | undefined,
  expected: ExpectedClaim,
): void {
  if (view(data).getUint32(0, true) !== SYSTEM_TRANSFER)
    throw new UntrustedTransactionError('it does more than transfer SOL');
  requireNotPaying(from, expected);
}

function requireNotPaying(payer: PublicKey | undefined, { wallet }: ExpectedClaim): void {
  if (payer === undefined || payer.equals(wallet))
    throw new UntrustedTransactionError('the wallet would pay');
}

/** Token units that the wallet receives; negative for burned ones. */
function tokenEffect(
  { data }: MessageCompiledInstruction,
  account: (index: number) => PublicKey | undefined,
  { wallet, mint, burn }: ExpectedClaim,
): bigint {
  const own = associatedTokenAddress(wallet, mint).address;
  const amount = () => view(data).getBigUint64(1, true);
  switch (data[0] ?? NO_KIND) {
    case TRANSFER_CHECKED:
      if (account(3)?.equals(wallet) !== false)
        throw new UntrustedTransactionError('it sends tokens of the wallet');
      return account(2)?.equals(own) === true && account(1)?.equals(mint) === true ? amount() : 0n;
    case BURN_CHECKED:
      if (!burn) throw new UntrustedTransactionError('it burns tokens');
      if (account(0)?.equals(own) !== true || account(1)?.equals(mint) !== true) {
        throw new UntrustedTransactionError('it burns other tokens');
      }
      return -amount();
    case CLOSE_ACCOUNT:
      // The token program closes empty accounts only: this one was opened for the burning.
      if (!burn || account(0)?.equals(own) !== true)
        throw new UntrustedTransactionError('it closes an account');
      return 0n;
    default:
      throw new UntrustedTransactionError('it calls the token program for something else');
  }
}

function view(data: Uint8Array): DataView {
  if (data.length < 4) throw new UntrustedTransactionError('an instruction is cut short');
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

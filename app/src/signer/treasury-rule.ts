// What the treasury's key signs: claims and the epoch of a database, byte for byte as the service builds them.
import { compileTransaction } from '@curvekit/sdk';
import {
  TransactionMessage,
  type MessageV0,
  type PublicKey,
  type TransactionInstruction,
} from '@solana/web3.js';
import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { LAMPORTS_PER_SIGNATURE } from '../chain/connection.js';
import { markAddress, writeMark, type MarkAccount } from '../reconciliation/split-brain/mark-account.js';
import { claimPaymentIn, messageOnChain } from '../reconciliation/claim-payment.js';
import { Refusal } from './message.js';

/** More than the rent of a token account (0.00204 SOL). */
const MOST_RENT = 10_000_000n;
const APPROVE = 4;
const TRANSFER_DATA = { tag: 2, bytes: 12 };

/**
 * Lamports that can leave the treasury with the transaction.
 *
 * @param claims whether claims may be signed
 * @throws Refusal for what the treasury does not sign
 */
export async function leaving(
  treasury: PublicKey,
  message: MessageV0,
  { claims }: { readonly claims: boolean },
): Promise<bigint> {
  const fee = LAMPORTS_PER_SIGNATURE * BigInt(message.header.numRequiredSignatures);
  const claim = claimPaymentIn({ ...messageOnChain(message), fee }, new Set([treasury.toBase58()]));
  if (claim !== undefined && !claims)
    throw new Refusal('this signer stores and pays claims itself: end TREASURY_KEYPAIR with &pays=claims');
  if (claim?.asset === 'SOL') return claim.amount;
  if (claim !== undefined) return claim.networkFee + (claim.opensAccount ? MOST_RENT : 0n);
  const rent = await rentOfMark(treasury, message);
  if (rent !== undefined) return rent + LAMPORTS_PER_SIGNATURE;
  throw new Refusal('the treasury signs claims and the epoch of the database that pays; this is neither');
}

/** Lamports that writing an epoch takes; undefined when the message does something else. */
async function rentOfMark(treasury: PublicKey, message: MessageV0): Promise<bigint | undefined> {
  const instructions = instructionsOf(message);
  const mark = instructions.find(
    ({ programId, data }) => programId.equals(TOKEN_PROGRAM_ID) && data[0] === APPROVE,
  )?.keys[1]?.pubkey;
  if (mark === undefined) return undefined;
  // Without an account the epoch has one opened first.
  const opens = instructions.length > 1;
  const opening = opens ? lamportsOf(instructions[0]!.data) : 0n;
  if (opening === undefined || opening > MOST_RENT) return undefined;
  const built = compileTransaction(
    {
      payer: treasury,
      instructions: writeMark(treasury, mark.toBase58(), {
        address: await markAddress(treasury),
        account: opens ? null : OPENED,
        rent: Number(opening),
      }),
    },
    message.recentBlockhash,
  );
  return Buffer.from(built.message.serialize()).equals(message.serialize()) ? opening : undefined;
}

/** @throws Refusal for a header or an index that no valid message has */
function instructionsOf(message: MessageV0): TransactionInstruction[] {
  try {
    return TransactionMessage.decompile(message).instructions;
  } catch {
    throw new Refusal('it is no valid message of a transaction');
  }
}

const OPENED = { owner: TOKEN_PROGRAM_ID } as MarkAccount;

/** Of a transfer of the system program. */
function lamportsOf(data: Buffer): bigint | undefined {
  if (data.length !== TRANSFER_DATA.bytes || data.readUInt32LE() !== TRANSFER_DATA.tag) return undefined;
  return data.readBigUInt64LE(4);
}

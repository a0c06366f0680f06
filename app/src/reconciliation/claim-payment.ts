// Recognises the payment of a claim: its message equals, byte for byte, one that `claims/transaction.ts` builds. It needs no
// memo: docs/decisions/payments-gate.md.
import { isDeepStrictEqual } from 'node:util';
import { ATA_PROGRAM_ADDRESS, compileTransaction, TOKEN_PROGRAM_ADDRESS } from '@curvekit/sdk';
import { PublicKey, SystemProgram, type VersionedMessage } from '@solana/web3.js';
import { claimInstructions } from '../claims/transaction.js';
import type { ChainInstruction, ChainTransaction } from './chain-transaction.js';
import type { NewClaim } from '../claims/repository.js';

/** A claim's payment, as decoded from its transaction. */
export type ClaimPayment = Pick<
  NewClaim,
  'wallet' | 'mint' | 'asset' | 'amount' | 'networkFee' | 'burn' | 'opensAccount'
>;

const TRANSFER_CHECKED = 12;
const BURN_CHECKED = 15;
/** A claim is signed by the treasury and its wallet. */
const SIGNERS = 2;

const CONTENTS = ['version', 'blockhash', 'keys', 'instructions'] as const;
/** A node may tell more about a header. */
const COUNTS = ['numRequiredSignatures', 'numReadonlySignedAccounts', 'numReadonlyUnsignedAccounts'] as const;

/** What a transaction signs, by addresses. */
export type ChainMessage = Pick<ChainTransaction, 'header' | (typeof CONTENTS)[number]>;

/** What identifies a claim: what its transaction signs, and the fee. */
export type ClaimMessage = ChainMessage & Pick<ChainTransaction, 'fee'>;

/** The claim that a transaction pays; undefined for other transactions. */
export function claimPaymentIn(
  transaction: ClaimMessage,
  treasuries: ReadonlySet<string>,
): ClaimPayment | undefined {
  const { header, keys, blockhash, fee } = transaction;
  const [payer, wallet] = keys;
  if (payer === undefined || wallet === undefined || header.numRequiredSignatures !== SIGNERS)
    return undefined;
  if (!treasuries.has(payer)) return undefined;
  const read = readClaim(transaction);
  if (read === undefined) return undefined;
  const { walletHasAccount, ...paid } = read;
  const treasury = new PublicKey(payer);
  const order = { ...paid, wallet: new PublicKey(wallet), mint: new PublicKey(paid.mint) };
  const instructions = claimInstructions(treasury, order, { networkFee: fee, walletHasAccount });
  const { message } = compileTransaction({ payer: treasury, instructions }, blockhash);
  if (!isSame(messageOnChain(message), transaction)) return undefined;
  const opensAccount = paid.asset === 'TOKEN' && !paid.burn && !walletHasAccount;
  return { ...paid, wallet, networkFee: fee, opensAccount };
}

/** The message as `readTransaction` reads it from the chain. */
export function messageOnChain(message: VersionedMessage): ChainMessage {
  const { version, header, recentBlockhash: blockhash, compiledInstructions } = message;
  const keys = message.staticAccountKeys.map((key) => key.toBase58());
  const instructions = compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program: keys[programIdIndex]!,
    accounts: [...accountKeyIndexes].map((index) => keys[index]!),
    data: Buffer.from(data),
  }));
  return { version, header, blockhash, keys, instructions };
}

function isSame(mine: ChainMessage, theirs: ChainMessage): boolean {
  return (
    COUNTS.every((count) => mine.header[count] === theirs.header[count]) &&
    CONTENTS.every((part) => isDeepStrictEqual(mine[part], theirs[part]))
  );
}

type ReadClaim = Pick<ClaimPayment, 'mint' | 'asset' | 'amount' | 'burn'> & {
  readonly walletHasAccount: boolean;
};

/** Reads the transaction as if it were a claim. What is read wrongly rebuilds another message. */
function readClaim({ instructions, fee }: ClaimMessage): ReadClaim | undefined {
  const [first] = instructions;
  if (instructions.length === 1 && first?.program === SystemProgram.programId.toBase58()) {
    const amount = amountAt(4, first);
    const mint = first.accounts[2];
    if (mint === undefined || amount === undefined) return undefined;
    return { mint, asset: 'SOL', amount: amount + fee, burn: false, walletHasAccount: true };
  }
  const transfer = instructions.find((instruction) => isOfToken(instruction, TRANSFER_CHECKED));
  const amount = transfer && amountAt(1, transfer);
  const mint = transfer?.accounts[1];
  if (mint === undefined || amount === undefined) return undefined;
  return {
    mint,
    asset: 'TOKEN',
    amount,
    burn: instructions.some((instruction) => isOfToken(instruction, BURN_CHECKED)),
    walletHasAccount: !instructions.some(({ program }) => program === ATA_PROGRAM_ADDRESS.toBase58()),
  };
}

/** The u64 at this place of an instruction's data. */
function amountAt(place: number, { data }: ChainInstruction): bigint | undefined {
  return data.length < place + 8 ? undefined : data.readBigUInt64LE(place);
}

function isOfToken({ program, data }: ChainInstruction, tag: number): boolean {
  return program === TOKEN_PROGRAM_ADDRESS.toBase58() && data[0] === tag;
}

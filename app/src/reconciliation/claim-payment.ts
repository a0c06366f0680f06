// Recognises the payment of a claim: its message equals, byte for byte, one that `claims/transaction.ts` builds.
import { ATA_PROGRAM_ADDRESS, compileTransaction, TOKEN_PROGRAM_ADDRESS } from '@curvekit/sdk';
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { claimInstructions, type ClaimOrder } from '../claims/transaction.js';
import type { ChainInstruction, ChainTransaction } from './chain-transaction.js';

/** A claim's payment, as decoded from its transaction. */
export interface ClaimPayment {
  readonly wallet: string;
  readonly mint: string;
  readonly asset: ClaimOrder['asset'];
  /** Lamports including the network fee, or token base units. */
  readonly amount: bigint;
  readonly networkFee: bigint;
  readonly burn: boolean;
  /** Whether the treasury paid for the wallet's token account. */
  readonly opensAccount: boolean;
}

const SYSTEM_TRANSFER = 2;
const SYSTEM_TRANSFER_BYTES = 12;
const TRANSFER_CHECKED = 12;
const BURN_CHECKED = 15;
/** A claim is signed by the treasury and its wallet. */
const SIGNERS = 2;

/** What identifies a claim: what its transaction signs, and the fee. */
export type ClaimMessage = Pick<
  ChainTransaction,
  'version' | 'fee' | 'signers' | 'header' | 'blockhash' | 'keys' | 'instructions'
>;

/** The claim that a transaction pays; undefined for other transactions. */
export function claimPaymentIn(
  transaction: ClaimMessage,
  treasuries: ReadonlySet<string>,
): ClaimPayment | undefined {
  const [treasury, wallet] = transaction.signers;
  if (treasury === undefined || wallet === undefined || transaction.signers.length !== SIGNERS)
    return undefined;
  if (!treasuries.has(treasury)) return undefined;
  const read = readClaim(transaction);
  if (read === undefined) return undefined;
  const { walletHasAccount, ...paid } = read;
  const order = { ...paid, wallet: new PublicKey(wallet), mint: new PublicKey(paid.mint) };
  const isClaim = isBuiltFrom(transaction, new PublicKey(treasury), order, walletHasAccount);
  if (!isClaim) return undefined;
  const opensAccount = paid.asset === 'TOKEN' && !paid.burn && !walletHasAccount;
  return { ...paid, wallet, networkFee: transaction.fee, opensAccount };
}

type ReadClaim = Pick<ClaimPayment, 'mint' | 'asset' | 'amount' | 'burn'> & {
  readonly walletHasAccount: boolean;
};

/** Reads the transaction as if it were a claim. */
function readClaim({ instructions, fee }: ClaimMessage): ReadClaim | undefined {
  const [first] = instructions;
  if (instructions.length === 1 && first?.program === SystemProgram.programId.toBase58()) {
    const mint = first.accounts[2];
    const { data } = first;
    if (
      mint === undefined ||
      data.length !== SYSTEM_TRANSFER_BYTES ||
      data.readUInt32LE() !== SYSTEM_TRANSFER
    )
      return undefined;
    const amount = data.readBigUInt64LE(4) + fee;
    return { mint, asset: 'SOL', amount, burn: false, walletHasAccount: true };
  }
  const transfer = instructions.find((instruction) => isOfToken(instruction, TRANSFER_CHECKED));
  const mint = transfer?.accounts[1];
  if (transfer === undefined || mint === undefined || transfer.data.length < 9) return undefined;
  return {
    mint,
    asset: 'TOKEN',
    amount: transfer.data.readBigUInt64LE(1),
    burn: instructions.some((instruction) => isOfToken(instruction, BURN_CHECKED)),
    walletHasAccount: !instructions.some(({ program }) => program === ATA_PROGRAM_ADDRESS.toBase58()),
  };
}

function isOfToken({ program, data }: ChainInstruction, tag: number): boolean {
  return program === TOKEN_PROGRAM_ADDRESS.toBase58() && data[0] === tag;
}

function isBuiltFrom(
  { header, keys, blockhash, instructions, fee, version }: ClaimMessage,
  treasury: PublicKey,
  order: ClaimOrder,
  walletHasAccount: boolean,
): boolean {
  const { message } = compileTransaction(
    {
      payer: treasury,
      instructions: claimInstructions(treasury, order, { networkFee: fee, walletHasAccount }),
    },
    blockhash,
  );
  const built = message.staticAccountKeys.map((key) => key.toBase58());
  const isSame = (mine: readonly string[], theirs: readonly string[]) =>
    mine.length === theirs.length && mine.every((key, index) => key === theirs[index]);
  return (
    version === 0 &&
    isSame(built, keys) &&
    message.header.numRequiredSignatures === header.numRequiredSignatures &&
    message.header.numReadonlySignedAccounts === header.numReadonlySignedAccounts &&
    message.header.numReadonlyUnsignedAccounts === header.numReadonlyUnsignedAccounts &&
    message.compiledInstructions.length === instructions.length &&
    message.compiledInstructions.every(({ programIdIndex, accountKeyIndexes, data }, index) => {
      const landed = instructions[index]!;
      return (
        built[programIdIndex] === landed.program &&
        isSame(
          accountKeyIndexes.map((key) => built[key]!),
          landed.accounts,
        ) &&
        landed.data.equals(data)
      );
    })
  );
}

// The transaction that pays a claim.
import {
  associatedTokenAddress,
  closeTokenAccount,
  compileTransaction,
  createTokenAccountIfMissing,
  TOKEN_DECIMALS,
} from '@curvekit/sdk';
import {
  createAssociatedTokenAccountInstruction,
  createBurnCheckedInstruction,
  createTransferCheckedInstruction,
} from '@solana/spl-token';
import {
  SystemProgram,
  TransactionInstruction,
  type Keypair,
  type PublicKey,
  type VersionedTransaction,
} from '@solana/web3.js';
import type { Asset } from '../ledger/accounts.js';
import { signatureBy } from '../signatures/ed25519.js';

/** What is to be paid, and to whom. */
export interface ClaimOrder {
  readonly wallet: PublicKey;
  readonly mint: PublicKey;
  readonly asset: Asset;
  /** Lamports with the network fee in them, or smallest token units. */
  readonly amount: bigint;
  /** Burns the tokens in the wallet's account. */
  readonly burn: boolean;
}

/** The treasury's and the wallet's. */
export const CLAIM_SIGNATURES = 2n;

/**
 * A version 0 transaction that the treasury pays for and has signed. It needs the wallet's signature too, so that nobody
 * else can make it land, and the treasury's covers every byte of it.
 *
 * @param networkFee lamports taken from a claim of SOL
 * @param walletHasAccount whether the wallet's token account is there. If so it is not opened again, should the wallet
 *   close it for its rent meanwhile. One that is made only to burn is closed, and its rent goes back to the treasury;
 *   should the wallet have an account of its own by then, the claim fails instead.
 */
export function claimTransaction(
  treasury: Keypair,
  order: ClaimOrder,
  {
    blockhash,
    networkFee,
    walletHasAccount,
  }: { readonly blockhash: string; readonly networkFee: bigint; readonly walletHasAccount: boolean },
): VersionedTransaction {
  const payer = treasury.publicKey;
  const instructions = claimInstructions(payer, order, { networkFee, walletHasAccount });
  const transaction = compileTransaction({ payer, instructions }, blockhash);
  transaction.addSignature(payer, signatureBy(treasury, transaction.message.serialize()));
  return transaction;
}

/** The instructions of a claim. Reconciling recognises a claim on chain by them. */
export function claimInstructions(
  treasury: PublicKey,
  order: ClaimOrder,
  { networkFee, walletHasAccount }: { readonly networkFee: bigint; readonly walletHasAccount: boolean },
): TransactionInstruction[] {
  return order.asset === 'SOL'
    ? [solTransfer(treasury, order, networkFee)]
    : tokenInstructions(treasury, order, walletHasAccount);
}

function solTransfer(
  treasury: PublicKey,
  { wallet, mint, amount }: ClaimOrder,
  networkFee: bigint,
): TransactionInstruction {
  const lamports = amount - networkFee;
  const transfer = SystemProgram.transfer({ fromPubkey: treasury, toPubkey: wallet, lamports });
  // Names the token, so that claims of two tokens are two transactions, though they pay the same.
  transfer.keys.push({ pubkey: mint, isSigner: false, isWritable: false });
  return signedBy(wallet, transfer);
}

function tokenInstructions(
  treasury: PublicKey,
  { wallet, mint, amount, burn }: ClaimOrder,
  walletHasAccount: boolean,
): TransactionInstruction[] {
  const from = associatedTokenAddress(treasury, mint).address;
  const to = associatedTokenAddress(wallet, mint).address;
  const transfer = alsoSignedBy(
    wallet,
    createTransferCheckedInstruction(from, mint, to, treasury, amount, TOKEN_DECIMALS),
  );
  if (!burn) {
    return walletHasAccount ? [transfer] : [createTokenAccountIfMissing(treasury, wallet, mint), transfer];
  }
  const burning = createBurnCheckedInstruction(to, mint, wallet, amount, TOKEN_DECIMALS);
  if (walletHasAccount) return [transfer, burning];
  // Fails where the account is there by now: it was opened by another, and its rent is not the treasury's to take.
  const creation = createAssociatedTokenAccountInstruction(treasury, to, wallet, mint);
  return [creation, transfer, burning, closeTokenAccountTo(to, wallet, treasury)];
}

/** As `closeTokenAccount`, with the rent to another than the owner. */
function closeTokenAccountTo(
  account: PublicKey,
  owner: PublicKey,
  rentTo: PublicKey,
): TransactionInstruction {
  const close = closeTokenAccount(account, owner);
  close.keys[1]!.pubkey = rentTo;
  return close;
}

/** The token program minds accounts after its own only where the authority is a multisig account. */
function alsoSignedBy(
  wallet: PublicKey,
  { programId, keys, data }: TransactionInstruction,
): TransactionInstruction {
  const signer = { pubkey: wallet, isSigner: true, isWritable: false };
  return new TransactionInstruction({ programId, keys: [...keys, signer], data });
}

/** The programs do not mind that an account of theirs signs as well. */
function signedBy(
  wallet: PublicKey,
  { programId, keys, data }: TransactionInstruction,
): TransactionInstruction {
  const signing = keys.map((meta) => (meta.pubkey.equals(wallet) ? { ...meta, isSigner: true } : meta));
  return new TransactionInstruction({ programId, keys: signing, data });
}

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
  type PublicKey,
  type VersionedTransaction,
} from '@solana/web3.js';
import type { Asset } from '../ledger/accounts.js';
import { type Signer, signTransaction } from '../keys/signer.js';

export interface ClaimOrder {
  readonly wallet: PublicKey;
  readonly mint: PublicKey;
  readonly asset: Asset;
  /** Lamports including the network fee, or token base units. */
  readonly amount: bigint;
  /** Burns the tokens in the wallet's account. */
  readonly burn: boolean;
}

/** Signatures of a claim: the treasury's and the wallet's. */
export const CLAIM_SIGNATURES = 2n;

/**
 * Builds a version 0 transaction that the treasury pays for and has signed. It needs the wallet's signature too, so
 * nobody else can land it. The treasury's signature covers every byte of it.
 *
 * @param networkFee lamports deducted from a SOL claim
 * @param walletHasAccount whether the wallet's token account exists. An existing account is not opened again, even if the
 *   wallet closes it for its rent before the claim lands. An account opened only to burn is closed in the same
 *   transaction, and its rent returns to the treasury. If the wallet opens that account first, the claim fails.
 * @throws SignerError
 */
export async function claimTransaction(
  treasury: Signer,
  order: ClaimOrder,
  {
    blockhash,
    networkFee,
    walletHasAccount,
  }: { readonly blockhash: string; readonly networkFee: bigint; readonly walletHasAccount: boolean },
): Promise<VersionedTransaction> {
  const payer = treasury.publicKey;
  const instructions = claimInstructions(payer, order, { networkFee, walletHasAccount });
  const transaction = compileTransaction({ payer, instructions }, blockhash);
  await signTransaction(transaction, [treasury]);
  return transaction;
}

/** The instructions of a claim. Reconciliation recognises a claim on chain by them. */
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
  // Names the token, so that claims of two tokens are different transactions even when they pay the same amount.
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
  // Fails if the account exists already: then another party paid its rent, and the treasury must not take it.
  const creation = createAssociatedTokenAccountInstruction(treasury, to, wallet, mint);
  return [creation, transfer, burning, closeTokenAccountTo(to, wallet, treasury)];
}

/** Like `closeTokenAccount`, but the rent goes to an account other than the owner. */
function closeTokenAccountTo(
  account: PublicKey,
  owner: PublicKey,
  rentTo: PublicKey,
): TransactionInstruction {
  const close = closeTokenAccount(account, owner);
  close.keys[1]!.pubkey = rentTo;
  return close;
}

/**
 * Adds the wallet as a signer. The token program reads additional accounts only when the authority is a multisig account.
 */
function alsoSignedBy(
  wallet: PublicKey,
  { programId, keys, data }: TransactionInstruction,
): TransactionInstruction {
  const signer = { pubkey: wallet, isSigner: true, isWritable: false };
  return new TransactionInstruction({ programId, keys: [...keys, signer], data });
}

/** Marks the wallet as a signer. The programs accept a signer even for an account that need not sign. */
function signedBy(
  wallet: PublicKey,
  { programId, keys, data }: TransactionInstruction,
): TransactionInstruction {
  const signing = keys.map((meta) => (meta.pubkey.equals(wallet) ? { ...meta, isSigner: true } : meta));
  return new TransactionInstruction({ programId, keys: signing, data });
}

// The instructions of a settlement: one transaction that pays every part, or none.
import {
  ACCOUNT_SIZE,
  createBurnCheckedInstruction,
  createInitializeAccount3Instruction,
  createSyncNativeInstruction,
  createTransferCheckedInstruction,
} from '@solana/spl-token';
import { SystemProgram, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import {
  associatedTokenAddress,
  closeTokenAccount,
  createTokenAccountIfMissing,
  NATIVE_MINT_ADDRESS,
  SOL_DECIMALS,
  TOKEN_DECIMALS,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';

/** Recipients and amounts, in lamports and token units. Addresses of parts of 0 are not used. */
export interface Payment {
  readonly mint: PublicKey;
  readonly dexOwner: PublicKey;
  readonly wsolStorage: PublicKey;
  readonly tokenStorage: PublicKey;
  readonly treasury: PublicKey | null;
  readonly lp: PublicKey | null;
  readonly creator: PublicKey;
  readonly sol: {
    readonly taken: bigint;
    readonly treasury: bigint;
    readonly lp: bigint;
    readonly creator: bigint;
  };
  readonly token: {
    readonly burned: bigint;
    readonly treasury: bigint;
    readonly lp: bigint;
    readonly creator: bigint;
  };
  /** Whether the transaction opens the creator's token account. Otherwise the account must exist. */
  readonly opensCreatorAccount: boolean;
  /** Address of a temporary account, which signs. Closing it unwraps the WSOL. */
  readonly unwrapping: PublicKey;
  /** Rent of a token account in lamports. The transaction returns it. */
  readonly tokenAccountRent: number;
}

/** Signers: the DEX owner, and `unwrapping` when SOL is taken. */
export function settlementInstructions(payment: Payment): TransactionInstruction[] {
  return [...solInstructions(payment), ...tokenInstructions(payment)];
}

/**
 * The storage stays open. The WSOL moves to a temporary account; closing that account turns it into SOL of the DEX owner.
 */
function solInstructions(payment: Payment): TransactionInstruction[] {
  const { sol, dexOwner, wsolStorage, unwrapping, tokenAccountRent } = payment;
  if (sol.taken === 0n) return [];
  return [
    // Includes lamports that were sent without wrapping them.
    createSyncNativeInstruction(wsolStorage),
    SystemProgram.createAccount({
      fromPubkey: dexOwner,
      newAccountPubkey: unwrapping,
      lamports: tokenAccountRent,
      space: ACCOUNT_SIZE,
      programId: TOKEN_PROGRAM_ADDRESS,
    }),
    createInitializeAccount3Instruction(unwrapping, NATIVE_MINT_ADDRESS, dexOwner),
    createTransferCheckedInstruction(
      wsolStorage,
      NATIVE_MINT_ADDRESS,
      unwrapping,
      dexOwner,
      sol.taken,
      SOL_DECIMALS,
    ),
    closeTokenAccount(unwrapping, dexOwner),
    ...recipientsOf(payment, sol).map(({ to, amount }) =>
      SystemProgram.transfer({ fromPubkey: dexOwner, toPubkey: to, lamports: amount }),
    ),
  ];
}

function tokenInstructions(payment: Payment): TransactionInstruction[] {
  const { token, mint, dexOwner, tokenStorage } = payment;
  const burn =
    token.burned === 0n
      ? []
      : [createBurnCheckedInstruction(tokenStorage, mint, dexOwner, token.burned, TOKEN_DECIMALS)];
  const transfers = recipientsOf(payment, token).flatMap(({ to, amount, opens }) => [
    ...(opens ? [createTokenAccountIfMissing(dexOwner, to, mint)] : []),
    createTransferCheckedInstruction(
      tokenStorage,
      mint,
      associatedTokenAddress(to, mint).address,
      dexOwner,
      amount,
      TOKEN_DECIMALS,
    ),
  ]);
  return [...burn, ...transfers];
}

function recipientsOf(
  { treasury, lp, creator, opensCreatorAccount }: Payment,
  amounts: { readonly treasury: bigint; readonly lp: bigint; readonly creator: bigint },
): { to: PublicKey; amount: bigint; opens: boolean }[] {
  return [
    { to: treasury, amount: amounts.treasury, opens: true },
    { to: lp, amount: amounts.lp, opens: true },
    { to: creator, amount: amounts.creator, opens: opensCreatorAccount },
  ].flatMap(({ to, amount, opens }) => (to === null || amount === 0n ? [] : [{ to, amount, opens }]));
}

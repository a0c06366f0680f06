// Instructions of a claim's transaction, from an honest service and from a hostile one.
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createAssociatedTokenAccountInstruction,
  createBurnCheckedInstruction,
  createCloseAccountInstruction,
  createTransferCheckedInstruction,
} from '@solana/spl-token';
import {
  AddressLookupTableAccount,
  Keypair,
  type PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  type VersionedMessage,
} from '@solana/web3.js';
import { associatedTokenAddress } from '@curvekit/sdk';
import type { ClaimRequest } from '@curvekit/sdk/rewards';
import { NATIVE_MINT_ADDRESS } from '#sdk/generated/program.js';

export const AMOUNT = 1_000n;
export const DECIMALS = 6;
export const BLOCKHASH = '1'.repeat(32);

export const keypair = Keypair.generate();
export const wallet = keypair.publicKey;
/** The fee payer: an honest service's treasury, or any account that a hostile service chooses. */
export const treasury = Keypair.generate();
export const payer = treasury.publicKey;
export const attacker = Keypair.generate().publicKey;
export const mint = Keypair.generate().publicKey;
export const otherMint = Keypair.generate().publicKey;

export const ata = (owner: PublicKey, ofMint = mint) => associatedTokenAddress(owner, ofMint).address;
export const own = ata(wallet);

/** Adds a signer to the accounts. The programs ignore it. */
export function alsoSigned(instruction: TransactionInstruction, by = wallet): TransactionInstruction {
  const signer = { pubkey: by, isSigner: true, isWritable: false };
  return new TransactionInstruction({ ...instruction, keys: [...instruction.keys, signer] });
}

/** Copies the instruction with other data. */
export function withData(instruction: TransactionInstruction, data: Uint8Array): TransactionInstruction {
  return new TransactionInstruction({ ...instruction, data: Buffer.from(data) });
}

export const transfer = (from: PublicKey, to: PublicKey, lamports = AMOUNT) =>
  SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports });
export const send = (from: PublicKey, to: PublicKey, authority: PublicKey, ofMint = mint, amount = AMOUNT) =>
  createTransferCheckedInstruction(from, ofMint, to, authority, amount, DECIMALS);
export const burn = (amount = AMOUNT, account = own, ofMint = mint) =>
  createBurnCheckedInstruction(account, ofMint, wallet, amount, DECIMALS);
export const close = (rentTo: PublicKey, account = own) =>
  createCloseAccountInstruction(account, rentTo, wallet);
export const create = (by = payer, owner = wallet, ofMint = mint) =>
  createAssociatedTokenAccountInstruction(by, ata(owner, ofMint), owner, ofMint);
export const createIfMissing = (by = payer, owner = wallet, ofMint = mint) =>
  createAssociatedTokenAccountIdempotentInstruction(by, ata(owner, ofMint), owner, ofMint);

/** The instructions of an honest claim, per asset. */
export const givenSol = alsoSigned(transfer(payer, wallet));
export const givenTokens = alsoSigned(send(ata(payer), own, payer));

export const ofSol = { tokenAddress: mint, claimType: 'SOL' } as const;
export const ofTokens = { tokenAddress: mint, claimType: 'TOKEN' } as const;
export const toBurn = { ...ofTokens, burnToken: true } as const;
export const toBurnWrapped = { ...toBurn, tokenAddress: NATIVE_MINT_ADDRESS } as const;

export function compiled(instructions: TransactionInstruction[], payerKey = payer): VersionedMessage {
  return new TransactionMessage({
    payerKey,
    instructions,
    recentBlockhash: BLOCKHASH,
  }).compileToV0Message();
}

/** Like `compiled`, with an account from an address lookup table. */
export function withLookup(instructions: TransactionInstruction[], address: PublicKey): VersionedMessage {
  const table = new AddressLookupTableAccount({
    key: Keypair.generate().publicKey,
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [address],
    },
  });
  return new TransactionMessage({
    payerKey: payer,
    instructions,
    recentBlockhash: BLOCKHASH,
  }).compileToV0Message([table]);
}

/** A transaction that the check must refuse, and the expected problem. */
export type HostileClaim = readonly [
  name: string,
  request: ClaimRequest,
  TransactionInstruction[] | VersionedMessage,
  problem: RegExp,
];

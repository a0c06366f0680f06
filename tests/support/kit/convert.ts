// Converts web3.js values to Kit's.
import type { Keypair, TransactionInstruction } from '@solana/web3.js';
import {
  AccountRole,
  address,
  createKeyPairSignerFromBytes,
  type Instruction,
  type KeyPairSigner,
  type TransactionSigner,
} from '@solana/kit';

export function signerOf({ secretKey }: Keypair): Promise<KeyPairSigner> {
  return createKeyPairSignerFromBytes(secretKey);
}

/** The same instruction for Kit, with the required signers attached. */
export function kitInstruction(
  { programId, keys, data }: TransactionInstruction,
  signers: readonly TransactionSigner[] = [],
): Instruction {
  const accounts = keys.map(({ pubkey, isSigner, isWritable }) => {
    const account = { address: address(pubkey.toBase58()), role: roleOf(isSigner, isWritable) };
    const signer = isSigner ? signers.find((one) => one.address === account.address) : undefined;
    return signer === undefined ? account : { ...account, signer };
  });
  return { programAddress: address(programId.toBase58()), accounts, data: Uint8Array.from(data) };
}

function roleOf(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

// Transactions as reconciliation reads them from the chain.
import { Keypair, type TransactionInstruction, type VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { compileTransaction } from '@curvekit/sdk';
import { readTransaction, type ChainTransaction } from '#app/reconciliation/chain-transaction.js';

export const FEE = 10_000n;
export const blockhash = Keypair.generate().publicKey.toBase58();

/** The format in which a node returns it with `encoding: "json"`. */
export function json({ message, signatures, version }: VersionedTransaction): object {
  return {
    slot: 5,
    version,
    meta: { err: null, fee: Number(FEE), loadedAddresses: { writable: [], readonly: [] } },
    transaction: {
      signatures: signatures.map((signature) => bs58.encode(signature)),
      message: {
        header: message.header,
        accountKeys: message.staticAccountKeys.map((key) => key.toBase58()),
        recentBlockhash: message.recentBlockhash,
        instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
          programIdIndex,
          accounts: [...accountKeyIndexes],
          data: bs58.encode(data),
        })),
      },
    },
  };
}

export function landed(transaction: VersionedTransaction): ChainTransaction {
  return readTransaction(bs58.encode(transaction.signatures[0]!), json(transaction));
}

export function signedBy(
  payer: Keypair,
  instructions: TransactionInstruction[],
  ...more: Keypair[]
): ChainTransaction {
  const transaction = compileTransaction({ payer: payer.publicKey, instructions }, blockhash);
  transaction.sign([payer, ...more]);
  return landed(transaction);
}

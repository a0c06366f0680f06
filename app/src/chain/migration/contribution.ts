// What a migration owes the community storages, and what it has paid them, from the chain alone.
import type { Connection, PublicKey, VersionedTransactionResponse } from '@solana/web3.js';
import {
  BASIS_POINTS,
  curveAddress,
  decodeRecords,
  tokenAddresses,
  type Deployment,
  type MigrateRecord,
} from '@curvekit/sdk';

/** SOL and tokens. Lamports and token units. */
export interface Amounts {
  readonly sol: bigint;
  readonly token: bigint;
}

/** A migration as the chain has it. */
export interface MigrationOnChain {
  readonly signature: string;
  readonly record: MigrateRecord;
}

const PAGE = 1_000;

/** The share of what a migration moves that goes to the storages, rounded down. */
export function contributionOf({ sol, token }: Amounts, afterMigrationFeeBps: number): Amounts {
  const share = (amount: bigint) => (amount * BigInt(afterMigrationFeeBps)) / BigInt(BASIS_POINTS);
  return { sol: share(sol), token: share(token) };
}

/** The finalized migration of a token; undefined when the node knows of none. */
export async function findMigration(
  connection: Connection,
  mint: PublicKey,
  deployment: Deployment,
): Promise<MigrationOnChain | undefined> {
  // After its migration a curve sees only donations, so the record is among the newest.
  for await (const signature of signaturesOf(connection, curveAddress(mint, deployment).address, undefined)) {
    const transaction = await transactionOf(connection, signature);
    for (const record of transaction === null ? [] : decodeRecords(transaction, deployment)) {
      if (record.kind === 'migrate' && record.data.mint.equals(mint))
        return { signature, record: record.data };
    }
  }
  return undefined;
}

/**
 * What the fee receiver has paid into the storages since the migration, that transaction included. What others gave does
 * not count.
 */
export async function contributedSince(
  connection: Connection,
  mint: PublicKey,
  deployment: Deployment,
  { signature }: MigrationOnChain,
): Promise<Amounts> {
  const { communityWsolStorage, communityTokenStorage } = tokenAddresses(mint, deployment);
  const storages = [communityWsolStorage.address, communityTokenStorage.address] as const;
  const signatures = new Set([signature]);
  for (const storage of storages) {
    for await (const later of signaturesOf(connection, storage, signature)) signatures.add(later);
  }
  let sol = 0n;
  let token = 0n;
  for (const candidate of signatures) {
    const transaction = await transactionOf(connection, candidate);
    if (transaction === null || !isSignedBy(transaction, deployment.feeReceiver)) continue;
    sol += increase(transaction, storages[0]);
    token += increase(transaction, storages[1]);
  }
  return { sol, token };
}

/** Signatures of successful finalized transactions that name an address, the newest first, down to `until`. */
async function* signaturesOf(
  connection: Connection,
  address: PublicKey,
  until: string | undefined,
): AsyncGenerator<string> {
  let before: string | undefined;
  for (;;) {
    const page = await connection.getSignaturesForAddress(
      address,
      { limit: PAGE, ...(before === undefined ? {} : { before }), ...(until === undefined ? {} : { until }) },
      'finalized',
    );
    for (const { signature, err } of page) if (err === null) yield signature;
    before = page.at(-1)?.signature;
    if (page.length < PAGE) return;
  }
}

function transactionOf(
  connection: Connection,
  signature: string,
): Promise<VersionedTransactionResponse | null> {
  return connection.getTransaction(signature, { commitment: 'finalized', maxSupportedTransactionVersion: 0 });
}

function isSignedBy({ transaction: { message } }: VersionedTransactionResponse, key: PublicKey): boolean {
  return message.staticAccountKeys
    .slice(0, message.header.numRequiredSignatures)
    .some((signer) => signer.equals(key));
}

/** By how many units a token account grew in a transaction; 0 when it did not. */
function increase({ transaction, meta }: VersionedTransactionResponse, account: PublicKey): bigint {
  const { staticAccountKeys } = transaction.message;
  const keys = [
    ...staticAccountKeys,
    ...(meta?.loadedAddresses?.writable ?? []),
    ...(meta?.loadedAddresses?.readonly ?? []),
  ];
  const index = keys.findIndex((key) => key.equals(account));
  const balance = (balances: readonly { accountIndex: number; uiTokenAmount: { amount: string } }[]) =>
    BigInt(balances.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount ?? 0);
  const grown = balance(meta?.postTokenBalances ?? []) - balance(meta?.preTokenBalances ?? []);
  return grown > 0n ? grown : 0n;
}

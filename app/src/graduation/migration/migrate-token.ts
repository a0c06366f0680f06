// Migrates a graduated curve and contributes the token's share to its community storages, in one transaction. Progress is
// read from the chain, so running it again after a crash finishes the work and repeats nothing.
import {
  createSyncNativeInstruction,
  createTransferCheckedInstruction,
  unpackAccount,
} from '@solana/spl-token';
import { SystemProgram, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import {
  associatedTokenAddress,
  CurveStatus,
  fetchTokenOwnerData,
  migrate,
  TOKEN_DECIMALS,
  tokenAddresses,
  TransactionError,
  type TokenOwnerData,
} from '@curvekit/sdk';
import type { Context } from '../../context.js';
import { askNode, rentMinimum } from '../../chain/connection.js';
import { follow } from '../../sending/follow.js';
import { findLanded, reopen, signaturesOf } from '../../sending/history.js';
import { decide, storeSigned, undecidedOf } from '../../sending/repository.js';
import { signForAuthority } from '../../sending/sign.js';
import { requirePaymentsOpen } from '../../ledger/gate/payments-gate.js';
import { inSpan } from '../../base/tracing/spans.js';
import {
  contributedSince,
  contributionOf,
  findMigration,
  requireOwnMigration,
  type Amounts,
  MigrationError,
} from './contribution.js';

/** Result of a migration. Lamports and token base units. */
export interface MigrationReport {
  readonly mint: string;
  /** Signature of the transaction that migrated the curve. */
  readonly signature: string;
  /** Balances of the curve, which the fee receiver received. */
  readonly moved: Amounts;
  readonly afterMigrationFeeBps: number;
  /** Total that the storages received. */
  readonly contributed: Amounts;
  /** Transactions that this call sent or finished. Empty when nothing was left to do. */
  readonly transactions: readonly string[];
}

export interface MigrateOptions {
  /** Stops waiting. Running it again continues from there. */
  readonly signal: AbortSignal;
  /** Called after a transaction is stored, sent, and finalized. */
  readonly afterStep?: ((step: 'signed' | 'sent' | 'finalized') => Promise<void> | void) | undefined;
}

/** Maximum rounds: a migration, its missing contribution, and expired attempts at both. */
const ROUNDS = 6;

/**
 * Migrates a token and contributes its share, or finishes the missing part.
 *
 * @throws MigrationError when it is impossible: no key, unknown token, still trading, refused by the cluster
 * @throws PaymentsHeldError while the tables are not reconciled with the chain
 * @throws errors of the RPC node or the database; a later run continues
 */
export async function migrateToken(
  context: Context,
  mint: PublicKey,
  options: MigrateOptions,
): Promise<MigrationReport> {
  const { database, config } = context;
  if (config.feeReceiver === undefined)
    throw new MigrationError(
      'there is no key to migrate with: set FEE_RECEIVER_KEYPAIR, or run `curvekit graduate` where curves graduate by themselves',
    );
  const lease = await database.tryLead(subjectOf(mint));
  if (lease === undefined)
    throw new MigrationError(`another process migrates ${mint.toBase58()}; try again when it is done`);
  try {
    await requirePaymentsOpen(database.queries);
    const alone = { ...context, database: database.on('jobs', lease) };
    const signal = AbortSignal.any([options.signal, lease.lost]);
    return await inSpan('migrate', { 'curvekit.mint': mint.toBase58() }, () =>
      migrateAlone(alone, mint, { ...options, signal }),
    );
  } catch (cause) {
    if (!lease.lost.aborted || options.signal.aborted) throw cause;
    throw new MigrationError(
      `the connection to the database broke, and another process may migrate ${mint.toBase58()} now; run it again`,
      { cause },
    );
  } finally {
    await lease.release();
  }
}

async function migrateAlone(
  context: Context,
  mint: PublicKey,
  options: MigrateOptions,
): Promise<MigrationReport> {
  // One that was taken for expired and landed all the same is finished twice.
  const transactions = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const sent = await finishUndecided(context, mint, options);
    if (sent !== undefined) transactions.add(sent);
    if (await isLandedAfterAll(context, mint)) continue;
    const { curve, instructions, report } = await nextStep(context, mint, options.signal);
    if (report !== undefined) return { ...report, mint: mint.toBase58(), transactions: [...transactions] };
    await store(context, mint, { curve, instructions }, options.signal);
    await options.afterStep?.('signed');
  }
  throw new MigrationError(
    `the transactions of ${mint.toBase58()} expire before they land; run it again when the cluster is less busy`,
  );
}

interface Step {
  readonly curve: TokenOwnerData;
  readonly instructions: readonly TransactionInstruction[];
  /** Set when nothing is left to do. */
  readonly report?: Omit<MigrationReport, 'mint' | 'transactions'> | undefined;
}

async function nextStep(context: Context, mint: PublicKey, signal: AbortSignal): Promise<Step> {
  const { connection, deployment } = context;
  const curve = await askNode(fetchTokenOwnerData(connection, mint, { deployment, commitment: 'confirmed' }));
  if (curve === null)
    throw new MigrationError(`${mint.toBase58()} is not a token of this launchpad; check the address`);
  if (curve.initialized === CurveStatus.Migrated) return contributeMissing(context, mint, curve, signal);
  if (curve.initialized !== CurveStatus.Finalized) {
    throw new MigrationError(
      `${mint.toBase58()} still trades; it can be migrated when its curve has sold all that it sells`,
    );
  }
  const share = contributionOf(await askNode(holdingsOf(context, mint)), curve.afterMigrationFee);
  return { curve, instructions: [...migrate({ mint, deployment }), ...contribute(context, mint, share)] };
}

/** For a curve that is migrated already, by this command or another transaction. */
async function contributeMissing(
  context: Context,
  mint: PublicKey,
  curve: TokenOwnerData,
  signal: AbortSignal,
): Promise<Step> {
  const { connection, deployment, database } = context;
  const finalized = await signaturesOf(database.queries, subjectOf(mint), 'finalized');
  const known = { finalized, signal };
  const migration = await findMigration(connection, mint, deployment, known);
  if (migration === undefined) {
    throw new MigrationError(
      `the migration of ${mint.toBase58()} is not finalized yet, or the node does not keep it; run it again in half a minute`,
    );
  }
  const { record, graduation, signature } = migration;
  const { afterMigrationFee: afterMigrationFeeBps } = curve;
  const { solAmount, tokenAmount } = record;
  const moved = { sol: solAmount, token: tokenAmount };
  if (graduation !== undefined) {
    const contributed = { sol: graduation.communitySol, token: graduation.communityToken };
    return { curve, instructions: [], report: { signature, moved, afterMigrationFeeBps, contributed } };
  }
  requireOwnMigration(migration, deployment);
  const due = contributionOf(moved, afterMigrationFeeBps);
  const contributed = await contributedSince(connection, mint, deployment, migration, known);
  const instructions = contribute(context, mint, {
    sol: missing(due.sol, contributed.sol),
    token: missing(due.token, contributed.token),
  });
  if (instructions.length > 0) return { curve, instructions };
  return { curve, instructions, report: { signature, moved, afterMigrationFeeBps, contributed } };
}

/**
 * Amounts that a migration would move now. If a donation arrives before it lands, the next round contributes the
 * difference.
 */
async function holdingsOf({ connection, deployment }: Context, mint: PublicKey): Promise<Amounts> {
  const { curve, vault } = tokenAddresses(mint, deployment);
  const [curveAccount, vaultAccount] = await connection.getMultipleAccountsInfo([
    curve.address,
    vault.address,
  ]);
  if (curveAccount === undefined || curveAccount === null)
    throw new MigrationError(`${mint.toBase58()} has no curve; check the address`);
  const rent = await rentMinimum(connection, curveAccount.data.length);
  return {
    sol: BigInt(curveAccount.lamports - rent),
    token: unpackAccount(vault.address, vaultAccount ?? null).amount,
  };
}

function contribute(
  { deployment }: Context,
  mint: PublicKey,
  { sol, token }: Amounts,
): TransactionInstruction[] {
  const { feeReceiver } = deployment;
  const { communityWsolStorage, communityTokenStorage } = tokenAddresses(mint, deployment);
  const wsol = communityWsolStorage.address;
  const wrap = [
    SystemProgram.transfer({ fromPubkey: feeReceiver, toPubkey: wsol, lamports: sol }),
    createSyncNativeInstruction(wsol),
  ];
  const transfer = createTransferCheckedInstruction(
    associatedTokenAddress(feeReceiver, mint).address,
    mint,
    communityTokenStorage.address,
    feeReceiver,
    token,
    TOKEN_DECIMALS,
  );
  return [...(sol > 0n ? wrap : []), ...(token > 0n ? [transfer] : [])];
}

async function store(
  { connection, deployment, config, database }: Context,
  mint: PublicKey,
  { instructions, curve }: Pick<Step, 'instructions' | 'curve'>,
  signal: AbortSignal,
): Promise<void> {
  const { feeReceiver } = config;
  if (feeReceiver === undefined)
    throw new MigrationError('there is no key to migrate with: set FEE_RECEIVER_KEYPAIR');
  try {
    const signed = await askNode(signForAuthority(connection, deployment, instructions, [feeReceiver]));
    signal.throwIfAborted();
    // If another transaction is stored already, it is tracked instead.
    await database.transaction((tx) => storeSigned(tx, { subject: subjectOf(mint), ...signed }));
  } catch (cause) {
    if (!(cause instanceof TransactionError)) throw cause;
    const what = curve.initialized === CurveStatus.Migrated ? 'contribution' : 'migration';
    throw new MigrationError(`the cluster refuses the ${what} of ${mint.toBase58()}: ${cause.message}`, {
      cause,
    });
  }
}

/** Tracks the stored transaction until it is finalized or expires. @returns its signature when it is finalized */
async function finishUndecided(
  context: Context,
  mint: PublicKey,
  { signal, afterStep }: MigrateOptions,
): Promise<string | undefined> {
  const { database, logger } = context;
  const undecided = await undecidedOf(database.queries, subjectOf(mint));
  if (undecided === undefined) return undefined;
  const { signature } = undecided;
  logger.info({ mint: mint.toBase58(), signature }, 'waiting for the transaction');
  const { state, problem } = await follow(context, undecided, {
    signal,
    afterSend: () => afterStep?.('sent'),
  });
  if (state === 'finalized') await afterStep?.('finalized');
  await database.transaction((tx) => decide(tx, signature, state, problem));
  if (state === 'failed')
    throw new MigrationError(
      `the transaction ${signature} failed (${problem ?? 'unknown'}) and moved nothing; run it again`,
    );
  return state === 'finalized' ? signature : undefined;
}

/** Whether an expired transaction landed after all, so that it is tracked again. */
async function isLandedAfterAll(
  { database, connection, logger }: Context,
  mint: PublicKey,
): Promise<boolean> {
  const expired = await signaturesOf(database.queries, subjectOf(mint), 'expired');
  const signature = await findLanded(connection, expired);
  if (signature === undefined) return false;
  logger.error(
    { mint: mint.toBase58(), signature },
    'a transaction landed after it was marked expired; it is tracked again. Check RPC_URL: the node gave a wrong proof',
  );
  return database.transaction((tx) => reopen(tx, signature));
}

function subjectOf(mint: PublicKey): string {
  return `migration:${mint.toBase58()}`;
}

function missing(due: bigint, paid: bigint): bigint {
  return due > paid ? due - paid : 0n;
}

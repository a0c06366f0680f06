// What an instance of the service does to pay claims, on one of several databases, step by step as a test wants it.
import { VersionedTransaction, type Keypair } from '@solana/web3.js';
import type { LocalCluster } from '@curvekit/testing';
import { Claims } from '#app/claims/claims.js';
import { Reconciler } from '#app/claims/reconciler.js';
import { ClaimRefusedError } from '#app/claims/refusal.js';
import { ClaimsRepository } from '#app/claims/repository.js';
import type { Context } from '#app/context.js';
import { openDatabase } from '#app/db/database.js';
import { paymentsHeld, watchOwnKeys } from '#app/ledger/gate/payments-gate.js';
import { walletBalances } from '#app/ledger/balances.js';
import { Reconciliation } from '#app/reconciliation/reconcile.js';
import { contextFrom } from '#tests/service/service-context.js';

export class Instance {
  readonly #claims: Claims;
  readonly #reconciler: Reconciler;
  readonly #reconciliation: Reconciliation;

  private constructor(
    readonly name: string,
    readonly context: Context,
    at: LocalCluster,
  ) {
    const repository = new ClaimsRepository(context.database);
    this.#claims = new Claims(context, repository);
    // The ends of claims are proved on the cluster as it is.
    const { config } = context;
    const simulated = { ...context, connection: at.connection, config: { ...config, isSimulated: true } };
    this.#reconciler = new Reconciler(simulated, { repository });
    this.#reconciliation = new Reconciliation(context);
  }

  /** @param environment of a service whose node looks like one of a real cluster */
  static async start(
    name: string,
    { url, cluster }: { readonly url: string; readonly cluster: LocalCluster },
    environment: Readonly<Record<string, string>>,
  ): Promise<Instance> {
    const database = await openDatabase({ kind: 'postgres', url, poolSize: 5 });
    const context = await contextFrom({ ...environment, DATABASE_URL: url }, database);
    await watchOwnKeys(context);
    return new Instance(name, context, cluster);
  }

  /** One pass of the jobs. A database that is down fails it. */
  async turn(): Promise<void> {
    const { signal } = new AbortController();
    await this.#reconciliation.pass(signal);
    await this.#reconciler.pass(signal);
  }

  /** The transaction of a wallet's claim; undefined when the service refuses it. */
  async handOut({ publicKey }: Keypair, mint: string): Promise<VersionedTransaction | undefined> {
    const wallet = publicKey.toBase58();
    try {
      const tx = await this.#claims.initiate({
        wallet,
        mint,
        asset: 'SOL',
        burn: false,
        idempotencyKey: undefined,
      });
      return VersionedTransaction.deserialize(Buffer.from(tx, 'base64'));
    } catch (error) {
      if (error instanceof ClaimRefusedError) return undefined;
      throw error;
    }
  }

  /** Whether nothing is left to claim, and every claim has ended. */
  async hasPaid(wallets: readonly Keypair[]): Promise<boolean> {
    const { queries } = this.context.database;
    for (const { publicKey } of wallets) {
      const wallet = publicKey.toBase58();
      const [rewards] = await walletBalances(queries, wallet);
      const open = await queries.query.claims.findFirst({
        where: (claim, { and, eq }) => and(eq(claim.wallet, wallet), eq(claim.state, 'IN_PROGRESS')),
      });
      if (rewards?.unclaimedSol !== 0n || open !== undefined) return false;
    }
    return true;
  }

  /** Why payments are held. */
  held(): Promise<string | undefined> {
    return paymentsHeld(this.context.database.queries);
  }

  stop(): Promise<void> {
    return this.context.database.close();
  }
}

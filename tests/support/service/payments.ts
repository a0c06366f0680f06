// Payments of settlements on a node whose answers the test decides.
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { pino } from 'pino';
import type { Context } from '#app/context.js';
import { settlementOf, type Settlement } from '#app/graduation/settlement/repository.js';
import { openTestDatabase } from '../database/database.js';
import { insertOpenSettlement, type OpenSettlement } from '../database/open-settlement.js';
import { openPaymentsGate } from '../database/payments-gate.js';
import { newAddress } from '../new-address.js';
import { linesInto } from './logged-lines.js';
import { contextFrom, keyVariable } from './service-context.js';
import bs58 from 'bs58';
import { ACCOUNT_RENT } from '../node/accounts-node.js';
import { startFakeNode, type FakeNode } from '../node/fake-node.js';

/** One node and database for all tests of the surrounding `describe`. Before each, every payment passes and lands. */
export function usePayments() {
  const dexOwner = Keypair.generate();
  const logged: Readonly<Record<string, unknown>>[] = [];
  const at = {} as { node: PaymentsNode; context: Context };

  const contextWith = async (keys: Readonly<Record<string, string>>): Promise<Context> => ({
    ...(await contextFrom(
      { RPC_URL: at.node.url, DEX_OWNER_KEYPAIR: keyVariable(dexOwner), ...keys },
      at.context?.database ?? (await openTestDatabase()),
    )),
    logger: pino({ level: 'info' }, linesInto(logged)),
  });
  const stored = async (id: number): Promise<Settlement> =>
    (await settlementOf(at.context.database.queries, id))!;

  before(async () => {
    at.node = await startPaymentsNode();
    at.context = await contextWith({});
    await openPaymentsGate(at.context.database);
  });
  after(async () => {
    await at.context?.database.close();
    await at.node?.stop();
  });
  beforeEach(() => {
    at.node.reset();
    logged.length = 0;
  });

  return Object.assign(at, {
    dexOwner: dexOwner.publicKey,
    logged,
    /** With other keys, on the same database. */
    contextWith,
    /** A settlement as it is stored. */
    stored,
    /** Inserts a planned settlement of a new token. */
    planned: async (columns: OpenSettlement['columns'] = {}): Promise<Settlement> =>
      stored(await insertOpenSettlement(at.context.database, newAddress(), 0, { columns })),
  });
}

// A node that simulates and takes payments of nobody's accounts: a test says what fails, and what lands.

interface PaymentsNode extends FakeNode {
  /** The error of each simulation, or a promise of it; null for none. */
  simulated: (transaction: VersionedTransaction) => unknown;
  /** What becomes of a transaction that was sent: its error on chain, null when it succeeds; undefined when it does not land. */
  sent: (signature: string) => unknown;
  /** Called with the error of a transaction that landed, before its status is answered. */
  found: (err: unknown) => void;
  /** Whether every blockhash has expired, as a simulated cluster proves it. */
  hasExpired: boolean;
  /** Transactions that landed, finalized, with their errors. */
  readonly landed: Map<string, unknown>;
  /** Nothing has landed or expired, and every transaction passes and lands. */
  reset(): void;
}

const LAST_VALID_HEIGHT = 150;

async function startPaymentsNode(): Promise<PaymentsNode> {
  const blockhash = { blockhash: newAddress(), lastValidBlockHeight: LAST_VALID_HEIGHT };
  const read = (param: unknown) => VersionedTransaction.deserialize(Buffer.from(String(param), 'base64'));
  const landed = new Map<string, unknown>();
  const height = () => (at.hasExpired ? 2 * LAST_VALID_HEIGHT : 1);
  /** Long after any other answer. */
  const newest = { slot: 1_000 };
  const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    getMinimumBalanceForRentExemption: () => Number(ACCOUNT_RENT),
    getRecentPrioritizationFees: () => [],
    getLatestBlockhash: () => ({ context: { slot: 1 }, value: blockhash }),
    getVersion: () => ({ 'surfnet-version': '1.0.0' }),
    getFirstAvailableBlock: () => 0,
    isBlockhashValid: () => ({ context: { slot: 2 }, value: !at.hasExpired }),
    getBlockHeight: height,
    getSlot: () => 1,
    getEpochInfo: () => ({
      ...{ absoluteSlot: 1, blockHeight: height(), epoch: 0, slotIndex: 1, slotsInEpoch: 432_000 },
    }),
    simulateTransaction: async ([transaction]) => ({
      context: { slot: 1 },
      value: { err: await at.simulated(read(transaction)), logs: [], unitsConsumed: 1_000 },
    }),
    sendTransaction: ([transaction]) => {
      const signature = bs58.encode(read(transaction).signatures[0]!);
      const err = at.sent(signature);
      if (err !== undefined) landed.set(signature, err);
      return signature;
    },
    getSignatureStatuses: ([signatures]) => ({
      context: newest,
      value: (signatures as string[]).map((signature) => {
        const err = landed.get(signature);
        if (err === undefined) return null;
        at.found(err);
        const status = err === null ? { Ok: null } : { Err: err };
        return { slot: 1, confirmations: null, err, status, confirmationStatus: 'finalized' };
      }),
    }),
  };
  const node = await startFakeNode(({ method, params }) => answers[method]!(params));
  const passing = { simulated: () => null, sent: () => null, found: () => undefined, hasExpired: false };
  const at: PaymentsNode = {
    ...{ ...node, landed, ...passing },
    reset() {
      landed.clear();
      Object.assign(at, passing);
    },
  };
  return at;
}

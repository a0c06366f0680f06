// A node that simulates and takes payments of nobody's accounts: a test says what fails, and what lands.
import { VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { newAddress } from '../new-address.js';
import { ACCOUNT_RENT } from './accounts-node.js';
import { startFakeNode, type FakeNode } from './fake-node.js';

export interface PaymentsNode extends FakeNode {
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

export async function startPaymentsNode(): Promise<PaymentsNode> {
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

// Payments of settlements on a node whose answers the test decides.
import { Keypair } from '@solana/web3.js';
import { pino } from 'pino';
import type { Context } from '#app/context.js';
import { settlementOf, type Settlement } from '#app/graduation/settlement/repository.js';
import { openTestDatabase } from '../database/database.js';
import { insertOpenSettlement, type OpenSettlement } from '../database/open-settlement.js';
import { openPaymentsGate } from '../database/payments-gate.js';
import { newAddress } from '../new-address.js';
import { startPaymentsNode, type PaymentsNode } from '../node/payments-node.js';
import { linesInto } from './logged-lines.js';
import { contextFrom, keyVariable } from './service-context.js';

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

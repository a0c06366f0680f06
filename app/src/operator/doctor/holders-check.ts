// Whether the RPC node lists token accounts. Many refuse `getProgramAccounts` while everything else works.
import { PublicKey } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import type { Config } from '../../config/config.js';
import { rowsOf, type Database } from '../../db/database.js';
import { readHoldings } from '../../graduation/settlement/periods/holders.js';
import { failure, ok, problemOf, warning, type Finding } from './finding.js';

const TIMEOUT_MS = 20_000;
const FIX =
  'set RPC_URL to a node that answers getProgramAccounts on the token program (one with an index of it, without a limit on accounts)';

/** Reads the holders of the newest token, as a settlement's sample does. */
export async function checkHolders(
  { rpcUrl, dexOwner }: Config,
  { queries }: Pick<Database, 'queries'>,
): Promise<Finding> {
  const subject = 'holders';
  const [newest] = await rowsOf<{ mint: string }>(
    queries,
    sql`select mint from tokens order by record_id desc limit 1`,
  );
  // Without a token, the answer is an empty list.
  const mint = new PublicKey(newest?.mint ?? PublicKey.default);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const batches = readHoldings({ rpcUrl, mint, minContextSlot: 0, commitment: 'confirmed', signal });
    for (let batch = await batches.next(); batch.done !== true;) batch = await batches.next();
    return ok(subject, 'the node lists token accounts (getProgramAccounts)');
  } catch (error) {
    const { detail } = problemOf(error);
    return dexOwner === undefined
      ? warning(subject, `the page shows no holders: ${detail}`, FIX, 'HoldersRefused')
      : failure(subject, `settlements cannot sample the holders: ${detail}`, FIX, 'HoldersRefused');
  }
}

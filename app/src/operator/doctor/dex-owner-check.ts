// Checks that the DEX owner is the one in the program.
import { unpackAccount } from '@solana/spl-token';
import { PublicKey, type Connection } from '@solana/web3.js';
import { communityTokenStorageAddress, type Deployment } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { rowsOf, type Database } from '../../db/database.js';
import { authorityOf, notCompared, wrongAuthority } from './authority.js';
import type { ClusterParts } from './cluster-checks.js';
import { ok, type Finding } from './finding.js';
import { simulateLaunch } from './simulated-launch.js';

const SUBJECT = 'DEX owner';

/** The DEX owner owns the community storages of the tokens. */
export async function checkDexOwner(cluster: ClusterParts, database: Database): Promise<Finding> {
  const { config, connection, deployment } = cluster;
  const authority = authorityOf('DEX_OWNER', {
    key: config.dexOwner,
    address: config.authorities.dexOwner,
    used: deployment.dexOwner,
  });
  const { own } = authority;
  const found =
    (await ownerOfStorage(connection, deployment, database)) ?? (await ownerInProgram(cluster, own));
  if (typeof found === 'string') return notCompared(SUBJECT, authority, found);
  if (found.equals(own)) return ok(SUBJECT, `${own.toBase58()}, as the program was built with`);
  const consequence = 'launches from the page fail, and nothing can be settled';
  return wrongAuthority(SUBJECT, authority, found, consequence);
}

/** Owner of a community storage of the newest token; undefined when there is no token. */
async function ownerOfStorage(
  connection: Connection,
  deployment: Deployment,
  { queries }: Database,
): Promise<PublicKey | undefined> {
  const [token] = await rowsOf<{ mint: string }>(
    queries,
    sql`select mint from tokens order by record_id desc limit 1`,
  );
  if (token === undefined) return undefined;
  const { address } = communityTokenStorageAddress(new PublicKey(token.mint), deployment);
  const account = await connection.getAccountInfo(address);
  return account === null ? undefined : unpackAccount(address, account).owner;
}

/** The DEX owner that the program names in a simulated launch, or why it names none. */
async function ownerInProgram(cluster: ClusterParts, own: PublicKey): Promise<PublicKey | string> {
  const { feeReceiver } = cluster.deployment;
  const found = await simulateLaunch(cluster, { dexOwner: own, feeReceiver }, false);
  if (found.kind === 'right') return own;
  if (found.kind === 'unknown') return found.reason;
  return found.expected ?? `a simulated launch refuses the account ${found.account}`;
}

// Checks that the admin is the one in the program.
import type { PublicKey } from '@solana/web3.js';
import { adminSetProperties, fetchProperties } from '@curvekit/sdk';
import { authorityOf, notCompared, wrongAuthority } from './authority.js';
import type { ClusterParts } from './cluster-checks.js';
import { ok, type Finding } from './finding.js';
import { simulate, type Outcome } from './simulation.js';

const SUBJECT = 'admin';
/** Enough for the network fee, with the payer's rent exemption. */
export const FEE_LAMPORTS = 2_000_000;

export async function checkAdmin(cluster: ClusterParts): Promise<Finding> {
  const { config, deployment } = cluster;
  const authority = authorityOf('ADMIN', {
    key: config.admin,
    address: config.authorities.admin,
    used: deployment.admin,
  });
  const found = await simulateAdmin(cluster);
  if (found.kind === 'right')
    return ok(SUBJECT, `${authority.own.toBase58()}, as the program was built with`);
  if (found.kind === 'unknown') return notCompared(SUBJECT, authority, found.reason);
  const consequence =
    config.admin === undefined
      ? 'the service publishes a wrong admin'
      : 'this key can neither change the properties nor sweep fees';
  return wrongAuthority(SUBJECT, authority, found.expected, consequence);
}

/** The program's admin; undefined when the simulation does not tell it. */
export async function adminInProgram(cluster: ClusterParts): Promise<PublicKey | undefined> {
  const found = await simulateAdmin(cluster);
  if (found.kind === 'right') return cluster.deployment.admin;
  return found.kind === 'other key' ? found.expected : undefined;
}

/** Sets the properties to what they are. */
async function simulateAdmin(cluster: ClusterParts): Promise<Outcome> {
  const { connection, deployment } = cluster;
  const properties = await fetchProperties(connection, { deployment });
  if (properties === null) return { kind: 'unknown', reason: 'the properties have not been set' };
  return simulate(cluster, {
    what: 'simulating a change of the properties',
    deployment,
    lamports: FEE_LAMPORTS,
    compared: ['admin_account'],
    instructions: () => adminSetProperties({ ...properties, deployment }),
  });
}

import type { Database } from '../../db/database.js';
import { ok, warning, type Finding } from './finding.js';

/** Every standby of DATABASE_REPLICA_URLS serves. */
export async function checkReplicas(
  database: Pick<Database, 'replicas' | 'lookAtReplicas'>,
): Promise<Finding[]> {
  if (database.replicas().length === 0) return [];
  const subject = 'database replicas';
  await database.lookAtReplicas();
  const replicas = database.replicas();
  const leftOut = replicas.filter(({ problem }) => problem !== undefined);
  if (leftOut.length === 0) return [ok(subject, `${replicas.length} serve reads`)];
  return leftOut.map(({ place, problem }) =>
    warning(
      subject,
      `${place} serves nothing: ${problem}`,
      'the primary serves its reads; see that it streams from the primary of DATABASE_URL, or remove it from DATABASE_REPLICA_URLS',
      'ReplicaLeftOut',
    ),
  );
}

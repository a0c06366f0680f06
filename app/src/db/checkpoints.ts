// PGlite has no background process, so nothing makes checkpoints while it runs. Without them its write-ahead log grows for
// ever, in memory or in the folder.
import type { PGlite } from '@electric-sql/pglite';

/** Size of the log, in MiB, that a checkpoint keeps for reuse. */
const KEPT_MIB = 32;
const EVERY_MS = 30_000;

/** PGlite's start parameters for a bounded log. */
export const CHECKPOINT_PARAMETERS = ['-c', `min_wal_size=${KEPT_MIB}MB`, '-c', `max_wal_size=${KEPT_MIB}MB`];

/** Makes a checkpoint whenever the log has grown enough. @returns stops that */
export function keepLogSmall(client: PGlite): () => void {
  const timer = setInterval(() => {
    // The next one is tried in any case. A closed or broken database reports itself to its users.
    checkpointWhenDue(client).catch(() => undefined);
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** @returns whether there was a checkpoint: since the last one, the log had grown by as much as is retained */
export async function checkpointWhenDue(client: PGlite): Promise<boolean> {
  const { rows } = await client.query<{ due: boolean }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) >= ${KEPT_MIB * 2 ** 20} as due from pg_control_checkpoint()`,
  );
  if (rows[0]?.due !== true) return false;
  await client.exec('checkpoint');
  return true;
}

import type { Database } from '../../db/database.js';
import { partitionMake } from '../../index/trades/functions.js';
import { missingPartitions } from '../../index/trades/partitions.js';
import { grouped } from '../format.js';
import { failure, ok, type Finding } from './finding.js';

/** Every trade has its partition. */
export async function checkPartitions({ queries }: Pick<Database, 'queries'>): Promise<Finding> {
  const subject = 'trades';
  const missing = await missingPartitions(queries);
  const [first] = missing;
  if (first === undefined) return ok(subject, 'every partition is attached');
  const { name, isDetached, firstId, endId } = first;
  const attach = `alter table trade_rows attach partition ${name} for values from (${firstId}) to (${endId});`;
  return failure(
    subject,
    `missing partitions: ${missing.length}; the first is ${name}, with the ids ${grouped(firstId)} to ${grouped(endId - 1n)}`,
    isDetached
      ? `as the owner of the tables: ${attach}`
      : `restore the table ${name} from a backup, then: ${attach} Without a backup: select ${partitionMake.declares.name}('${name}'); ${attach} and run \`curvekit reindex\``,
    'TradesWithoutPartition',
  );
}

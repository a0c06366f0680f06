import { databaseFunction } from '../../db/statements.js';

/** The last one of so many new ids. */
export const idsTake = databaseFunction('trade_ids_take', { count: 'bigint' });

/** The first id after all partitions. */
export const partitionsEnd = databaseFunction('trade_partitions_end', {});

/** Makes an empty table that can become a partition. */
export const partitionMake = databaseFunction('trade_partition_make', { name: 'text' });

import { randomBytes } from 'node:crypto';

/** Names this process among the instances that share a database: in logs, leases and the database's list of sessions. */
export const INSTANCE = randomBytes(4).toString('hex');

import { randomBytes } from 'node:crypto';

/** Identifies this process among the instances that share a database: in logs, leases and the database's sessions. */
export const INSTANCE = randomBytes(4).toString('hex');

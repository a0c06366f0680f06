import { randomBytes } from 'node:crypto';

/** This process among all that share the database: in each line of the log, and wherever one instance names itself. */
export const INSTANCE = randomBytes(4).toString('hex');

import { forgetsStatements } from '../../db/pooler.js';
import { failure, ok, reasonOf, warning, type Finding } from './finding.js';

/** A pooler between the service and PostgreSQL, if there is one, keeps the service's prepared statements. */
export async function checkPooler(url: string): Promise<Finding> {
  const subject = 'database connections';
  try {
    if (!(await forgetsStatements(url))) return ok(subject, 'keep prepared statements');
  } catch (error) {
    return warning(
      subject,
      reasonOf(error),
      'allow the service a few connections more than DATABASE_POOL_SIZE',
      'DatabaseConnections',
    );
  }
  return failure(
    subject,
    'a pooler in transaction mode forgets prepared statements, so requests fail at random',
    'use PgBouncer 1.21 or newer with max_prepared_statements = 200, or its session mode, or connect directly',
    'DatabaseConnections',
  );
}

import { CurvekitError } from '@curvekit/sdk';
import { NodeError } from '../chain/indexer/node-errors.js';
import { MigrationError } from '../chain/migration/errors.js';
import { PaymentsHeldError } from '../chain/payments/gate.js';
import { SettlementError } from '../chain/settlement/errors.js';
import { ConfigError } from '../config.js';
import { DatabaseError } from '../db/errors.js';
import { KeyCommandError } from '../partner/errors.js';

/** A command that cannot be done; the message says why and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Whether an error's message says all that an operator needs, without a stack trace. */
export function isExplained(error: unknown): error is Error {
  return [
    CommandError,
    ConfigError,
    DatabaseError,
    KeyCommandError,
    MigrationError,
    NodeError,
    PaymentsHeldError,
    SettlementError,
    CurvekitError,
  ].some((kind) => error instanceof kind);
}

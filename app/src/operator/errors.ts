import { CurvekitError } from '@curvekit/sdk';
import { nodeErrorOf } from '../chain/node-errors.js';
import { GraduationFailedError } from '../graduation/errors.js';
import { MigrationError } from '../graduation/migration/errors.js';
import { PaymentsHeldError } from '../ledger/gate/payments-gate.js';
import { SettlementError } from '../graduation/settlement/errors.js';
import { ConfigError } from '../config/config.js';
import { ListenError } from '../http/server.js';
import { DatabaseError } from '../db/errors.js';
import { LocalFileError } from './local/errors.js';
import { CommandError } from './command.js';
import { KeyCommandError } from '../partners/errors.js';
import { shownError } from '../base/logging/logged-error.js';

/** The message, if it tells the operator enough; else the stack trace. */
export function explained(error: unknown): string {
  const ofNode = nodeErrorOf(error);
  if (ofNode !== undefined) return ofNode.message;
  return isExplained(error) ? error.message : `failed unexpectedly: ${shownError(error)}`;
}

function isExplained(error: unknown): error is Error {
  return [
    CommandError,
    ConfigError,
    DatabaseError,
    GraduationFailedError,
    KeyCommandError,
    ListenError,
    LocalFileError,
    MigrationError,
    PaymentsHeldError,
    SettlementError,
    CurvekitError,
  ].some((kind) => error instanceof kind);
}

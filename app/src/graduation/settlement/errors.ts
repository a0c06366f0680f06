import { ExplainedError } from '../../base/errors.js';

/** A settlement or migration that fails. The message says why and what to do. */
export class SettlementError extends ExplainedError {
  override readonly name: string = 'SettlementError';
}

export class BusyError extends SettlementError {
  override readonly name = 'BusyError';
}

export const NO_KEY = 'there is no key to settle with: set DEX_OWNER_KEYPAIR';

import { CurvekitError } from '../errors/index.js';

/** The wallet returned a different transaction. Nothing was sent. */
export class ChangedTransactionError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'ChangedTransactionError';
  constructor(problem: string) {
    super(`the wallet changed the transaction: ${problem}; it was not sent`);
  }
}

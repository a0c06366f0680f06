// Reads from a failed transaction which account a program refused.
import { PublicKey } from '@solana/web3.js';
import type { TransactionError } from '@curvekit/sdk';

/** Anchor's log of a wrong account: its name, then its address and the expected address if Anchor compared them. */
const FAULTY_ACCOUNT = /AnchorError caused by account: (\w+)\./;
const EXPECTED_KEY = /Right:\s+(?:Program log: )?([1-9A-HJ-NP-Za-km-z]{32,44})/;

export interface WrongAccount {
  readonly account: string;
  /** Undefined when the log does not name it. */
  readonly expected: PublicKey | undefined;
}

/** Undefined when the transaction failed for another reason. */
export function wrongAccountOf({ logs }: TransactionError): WrongAccount | undefined {
  const log = logs?.join('\n') ?? '';
  const account = FAULTY_ACCOUNT.exec(log)?.[1];
  if (account === undefined) return undefined;
  const expected = EXPECTED_KEY.exec(log)?.[1];
  return { account, expected: expected === undefined ? undefined : new PublicKey(expected) };
}

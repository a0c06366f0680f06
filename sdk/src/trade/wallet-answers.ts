// What a wallet that signs and sends by itself answers: a signature in one of several shapes, or an error that seldom says
// whether the transaction was sent.
import { encodeBase58 } from '../encoding/base58.js';
import { isSignature } from '../transactions/signature.js';

const SIGNATURE_BYTES = 64;
/** The deepest error in an error that is read. */
const MOST_CAUSES = 5;
/** "User rejected the request" of the Wallet Standard and of Phantom; "unauthorized" before it is connected. */
const DECLINED_CODES: ReadonlySet<unknown> = new Set([4001, 4100, '4001', '4100']);
/** Errors of Wallet Adapter from before a transaction is sent. */
const BEFORE_SENDING: ReadonlySet<unknown> = new Set([
  'WalletNotReadyError',
  'WalletNotConnectedError',
  'WalletAccountError',
  'WalletSignTransactionError',
]);
const DECLINED_TEXT =
  /^(the )?user (has )?(rejected|declined|denied|cancell?ed)|(rejected|declined|denied|cancell?ed) by (the )?user/i;

/**
 * The signature in a wallet's answer: base58 text, 64 bytes, an object with `signature`, or a list of one of these.
 * Undefined when the answer has none.
 */
export function signatureIn(answer: unknown): string | undefined {
  if (typeof answer === 'string') return isSignature(answer) ? answer : undefined;
  if (answer instanceof Uint8Array)
    return answer.length === SIGNATURE_BYTES ? encodeBase58(answer) : undefined;
  if (Array.isArray(answer)) return answer.length === 1 ? signatureIn(answer[0]) : undefined;
  const { signature } = Object(answer) as { readonly signature?: unknown };
  return signature === undefined ? undefined : signatureIn(signature);
}

/** Whether a wallet's error says that its user refused, or that it asked nobody: nothing was sent. */
export function isDeclined(error: unknown): boolean {
  return causesOf(error).some(({ code, name, message }) => {
    return (
      DECLINED_CODES.has(code) ||
      BEFORE_SENDING.has(name) ||
      (typeof message === 'string' && DECLINED_TEXT.test(message))
    );
  });
}

/** An error and those in it. Wallet Adapter has the wallet's own as `error`. */
export function causesOf(error: unknown): { code?: unknown; name?: unknown; message?: unknown }[] {
  const all: object[] = [];
  for (let next = error; all.length < MOST_CAUSES && next !== undefined && next !== null;) {
    const { cause, error: inner } = Object(next) as { readonly cause?: unknown; readonly error?: unknown };
    all.push(Object(next) as object);
    next = cause ?? inner;
  }
  return all;
}

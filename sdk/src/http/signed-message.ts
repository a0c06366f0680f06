// What wallets return for a text: a signature, or a signature with the bytes that they have signed.
import { encodeBase58 } from '../encoding/base58.js';
import { encodeBase64 } from '../encoding/base64.js';
import { CurvekitError } from '../errors/index.js';

/** A signature of other bytes than the given ones: hardware wallets put a text into an envelope. */
export interface SignedMessage {
  /** 64 bytes. */
  readonly signature: Uint8Array;
  /** The bytes that were signed. */
  readonly signedMessage: Uint8Array;
}

/** A wallet has signed something else than the text. */
export class OtherMessageSignedError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'OtherMessageSignedError';
  constructor() {
    super('the wallet has signed another message than the given one: the service would refuse it');
  }
}

/** How an envelope begins, up to its version, 0. */
const HEAD = /* @__PURE__ */ Uint8Array.from('\xffsolana offchain\0', (letter) => letter.charCodeAt(0));
/** What an envelope has before its text besides the head: format and length, or also a domain and one signer. */
const LAYOUTS = [3, 68];

/**
 * The signature of a text, and the envelope that the wallet signed instead, if it did. The service checks its every byte.
 *
 * @throws OtherMessageSignedError when the wallet has signed neither the text nor an envelope with it
 */
export function readSigned(
  text: Uint8Array,
  given: Uint8Array | SignedMessage,
): { readonly signature: Uint8Array; readonly signedMessage: Uint8Array | undefined } {
  if (!('signature' in given)) return { signature: given, signedMessage: undefined };
  const { signature, signedMessage: signed } = given as Partial<SignedMessage> & typeof given;
  // Some wallets leave it out.
  if (signed === undefined) return { signature, signedMessage: undefined };
  const before = signed.length - text.length;
  const endsWithText = before >= 0 && text.every((byte, index) => signed[before + index] === byte);
  if (!endsWithText) throw new OtherMessageSignedError();
  if (before === 0) return { signature, signedMessage: undefined };
  const isEnvelope =
    LAYOUTS.includes(before - HEAD.length) && HEAD.every((byte, index) => signed[index] === byte);
  if (!isEnvelope) throw new OtherMessageSignedError();
  return { signature, signedMessage: signed };
}

/** The headers with what `readSigned` returns. @throws OtherMessageSignedError */
export function signatureHeaders(
  text: Uint8Array,
  given: Uint8Array | SignedMessage,
): Readonly<Record<string, string>> {
  const { signature, signedMessage } = readSigned(text, given);
  return {
    'X-Signature': encodeBase58(signature),
    ...(signedMessage === undefined ? {} : { 'X-Signed-Message': encodeBase64(signedMessage) }),
  };
}

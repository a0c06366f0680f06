// Hardware wallets do not sign a text as it is. They put it into Solana's off-chain message envelope, version 0, so that it can never be
// a transaction. There are two layouts: Ledger's first one and `solana sign-offchain-message` have no domain and no signers.

const SIGNING_DOMAIN = Buffer.from('\xffsolana offchain', 'latin1');
const VERSION = 0;
const APPLICATION_DOMAIN_BYTES = 32;
const NO_DOMAIN = new Uint8Array(APPLICATION_DOMAIN_BYTES);
/** Of a whole envelope that a hardware wallet can show: formats 0 (printable ASCII) and 1 (UTF-8). */
const SHOWN_BYTES = 1_232;
const ASCII = 0;
const SHORT_UTF8 = 1;
const LONG_UTF8 = 2;
const FORMATS = [ASCII, SHORT_UTF8, LONG_UTF8] as const;
const LARGEST_U16 = 65_535;

/**
 * The bytes of which the wallet may have signed one: the text, or an envelope with exactly this text. Envelopes are built and compared,
 * never parsed.
 *
 * @param signer the wallet's key, the only one among an envelope's signers
 * @param told what the wallet says it has signed; undefined when the client does not say it
 * @returns none when the wallet has signed something else than the text. Each is built when the caller asks for it: most wallets sign
 * the text, which comes first.
 */
export function* signedForms(text: Uint8Array, signer: Uint8Array, told?: Uint8Array): Generator<Uint8Array> {
  if (told === undefined) {
    yield text;
    const [format] = formatsOf(text);
    if (format !== undefined) yield* envelopes(text, signer, format, NO_DOMAIN);
    return;
  }
  const at = SIGNING_DOMAIN.length + 1;
  const domain = told.subarray(at, at + APPLICATION_DOMAIN_BYTES);
  const forms = formatsOf(text).flatMap((format) => envelopes(text, signer, format, domain));
  yield* [text, ...forms].filter((form) => Buffer.compare(form, told) === 0);
}

function envelopes(text: Uint8Array, signer: Uint8Array, format: number, domain: Uint8Array): Uint8Array[] {
  const head = [SIGNING_DOMAIN, Uint8Array.of(VERSION)];
  const body = [Uint8Array.of(text.length & 0xff, text.length >> 8), text];
  const all = [
    Buffer.concat([...head, Uint8Array.of(format), ...body]),
    Buffer.concat([...head, domain, Uint8Array.of(format, 1), signer, ...body]),
  ];
  return format === LONG_UTF8 ? all : all.filter(({ length }) => length <= SHOWN_BYTES);
}

/** The formats that a text may have, the one that wallets choose first. */
function formatsOf(text: Uint8Array): (typeof FORMATS)[number][] {
  if (text.length === 0 || text.length > LARGEST_U16) return [];
  const isAscii = text.every((byte) => byte >= 0x20 && byte <= 0x7e);
  return FORMATS.filter((format) => isAscii || format !== ASCII);
}

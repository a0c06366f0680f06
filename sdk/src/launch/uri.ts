// The program accepts any text as a token's uri, for good. A launch accepts what wallets and explorers can fetch.
import { requireText } from '../checks/keys.js';
import { InvalidArgumentError } from '../errors/index.js';
import { MAX_URI_LENGTH } from '../generated/constants.js';
import { parseUrl } from '../platform/url.js';

const SCHEMES = ['https:', 'http:', 'ipfs:', 'ipns:', 'ar:', 'data:'];

/** @throws InvalidArgumentError unless the text is a URI with a scheme that wallets read */
export function requireUri(uri: string): void {
  requireText('uri', uri, MAX_URI_LENGTH);
  const { protocol, href = '' }: Partial<URL> = parseUrl(uri) ?? {};
  const isNamed =
    protocol !== undefined && SCHEMES.includes(protocol) && href.length > `${protocol}//`.length;
  if (isNamed && !/\s/.test(uri)) return;
  throw new InvalidArgumentError(
    'uri',
    `is '${uri}'; it must be the URI of the token's metadata: ${SCHEMES.map((scheme) => `${scheme}…`).join(', ')}`,
  );
}

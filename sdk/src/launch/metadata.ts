// The JSON document at a token's uri: Metaplex's fungible standard, with the fields that wallets and explorers read.
import { requireKnown, type OptionNames } from '../checks/options.js';
import { encodeText, requireVisibleText } from '../checks/text.js';
import { InvalidArgumentError } from '../errors/index.js';
import { MAX_NAME_LENGTH, MAX_SYMBOL_LENGTH } from '../generated/constants.js';
import { parseUrl } from '../platform/url.js';

/** The creator's texts about a token. */
export interface MetadataFields {
  /** 1 to 32 bytes in UTF-8. */
  readonly name: string;
  /** 1 to 10 bytes in UTF-8. */
  readonly symbol: string;
  /** At most 1,000 bytes in UTF-8. */
  readonly description?: string | undefined;
  /** https URLs of at most 200 characters. */
  readonly website?: string | undefined;
  readonly x?: string | undefined;
  readonly telegram?: string | undefined;
  readonly discord?: string | undefined;
}

/** The document, ready for `JSON.stringify`. */
export interface TokenMetadata {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly image: string;
  readonly external_url?: string;
  readonly extensions: Readonly<Partial<Record<'website' | 'twitter' | 'telegram' | 'discord', string>>>;
  readonly properties: {
    readonly category: 'image';
    readonly files: readonly { readonly uri: string; readonly type: string }[];
  };
}

const METADATA_FIELDS = {
  name: true,
  symbol: true,
  description: true,
  website: true,
  x: true,
  telegram: true,
  discord: true,
} as const satisfies OptionNames<MetadataFields>;
const LONGEST_DESCRIPTION = 1_000;
const LONGEST_LINK = 200;
const LINKS = ['website', 'x', 'telegram', 'discord'] as const;

/**
 * The metadata of a token.
 *
 * @param picture URL of the picture (https, ipfs or ar) and its media type, for example `image/png`
 * @throws InvalidArgumentError that names the field, its limit and its value
 */
export function metadataJson(
  fields: MetadataFields,
  picture: { readonly url: string; readonly type: string },
): TokenMetadata {
  requireFields(fields);
  const { name, symbol, description = '' } = fields;
  requireAddress('picture.url', picture.url, ['https:', 'ipfs:', 'ar:']);
  requirePictureType('picture.type', picture.type);
  const [website, twitter, telegram, discord] = LINKS.map((link) => fields[link] || undefined);
  return {
    name,
    symbol,
    description,
    image: picture.url,
    ...(website !== undefined && { external_url: website }),
    extensions: {
      ...(website !== undefined && { website }),
      ...(twitter !== undefined && { twitter }),
      ...(telegram !== undefined && { telegram }),
      ...(discord !== undefined && { discord }),
    },
    properties: { category: 'image', files: [{ uri: picture.url, type: picture.type }] },
  };
}

/** @throws InvalidArgumentError */
export function requireFields(fields: MetadataFields): void {
  requireKnown('fields', fields, METADATA_FIELDS);
  requireVisibleText('name', fields.name, MAX_NAME_LENGTH);
  requireVisibleText('symbol', fields.symbol, MAX_SYMBOL_LENGTH);
  const { length } = encodeText('description', fields.description ?? '');
  if (length > LONGEST_DESCRIPTION) {
    const problem = `is ${length} bytes long in UTF-8; at most ${LONGEST_DESCRIPTION} fit`;
    throw new InvalidArgumentError('description', problem);
  }
  for (const link of LINKS) {
    const url = fields[link];
    if (url !== undefined && url !== '') requireAddress(link, url, ['https:']);
  }
}

/** @throws InvalidArgumentError */
export function requirePictureType(argument: string, type: string): void {
  if (/^image\/[\w.+-]{1,100}$/.test(type)) return;
  throw new InvalidArgumentError(
    argument,
    `is '${type}'; it must be a media type of pictures, image/png for example`,
  );
}

function requireAddress(argument: string, url: string, schemes: readonly string[]): void {
  const parsed = typeof url === 'string' ? parseUrl(url) : undefined;
  if (parsed === undefined || !schemes.includes(parsed.protocol)) {
    const allowed = schemes.map((scheme) => `${scheme}//`).join(', ');
    throw new InvalidArgumentError(
      argument,
      `is '${String(url)}'; it must be a URL that begins with ${allowed}`,
    );
  }
  if (url.length > LONGEST_LINK) {
    const problem = `is ${url.length} characters long; at most ${LONGEST_LINK} fit`;
    throw new InvalidArgumentError(argument, problem);
  }
}

// Parses variables. Each message continues "VARIABLE …": what the value must be, and how to fix it.
import { isIP } from 'node:net';
import { PublicKey } from '@solana/web3.js';
import { signerOf } from '../keys/signer-of.js';
import { readKey } from './secret-key.js';

const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** An integer within limits, both included. */
export const integer = (minimum: number, maximum: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
    throw new Error(
      `must be an integer from ${minimum} to ${maximum}; set one, or remove it for the default`,
    );
  }
  return value;
};

/** A share, 0 and 1 included. */
export const ratio = (text: string) => {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > 1)
    throw new Error('must be a number from 0 to 1, such as 0.1; set one, or remove it for the default');
  return value;
};

/** Headers of HTTP as OpenTelemetry writes them. Messages never quote the value, which can be a key. */
export const headers = (text: string) =>
  Object.fromEntries(
    listOf(text).map((entry, index) => {
      const [, name, value] = /^([\w-]+)\s*=\s*([\x21-\x7e][\x20-\x7e]*)$/.exec(entry) ?? [];
      if (name === undefined || value === undefined)
        throw new Error(
          `has an invalid entry ${index + 1}: it must be name=value, with %20 for a space; correct it`,
        );
      return [name, decodeHeader(value, index)];
    }),
  );

function decodeHeader(value: string, index: number): string {
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    throw new Error(`has an invalid entry ${index + 1}: write a percent sign as %25`, { cause });
  }
}

/** Lamports or token units. */
export const u64 = (text: string) => {
  if (!/^\d{1,20}$/.test(text) || BigInt(text) > U64_MAX) {
    throw new Error(
      `must be an integer from 0 to ${U64_MAX}, in smallest units; set one, or remove it for the default`,
    );
  }
  return BigInt(text);
};

export const oneOf =
  <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  (text: string): Words[number] => {
    if (!words.includes(text))
      throw new Error(`must be one of ${words.join(', ')}; set one of these, or remove it`);
    return text;
  };

export const onOff = (text: string): boolean => oneOf('on', 'off')(text) === 'on';

export const url =
  (...schemes: readonly string[]) =>
  (text: string) => {
    const parsed = URL.canParse(text) ? new URL(text) : undefined;
    if (parsed === undefined || !schemes.includes(parsed.protocol.slice(0, -1))) {
      throw new Error(
        `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}; correct it`,
      );
    }
    return text;
  };

/** Where SOL's price comes from. Messages never quote the value: a URL can have a key. */
export const priceSource = (text: string) => {
  const [, scheme, rest = ''] = /^(https|pyth|usd):(.*)$/.exec(text) ?? [];
  if (scheme === 'pyth') return { account: toPublicKey(rest, 'must name after pyth:') };
  if (scheme === 'usd' && /^\d{1,9}(\.\d{1,9})?$/.test(rest) && Number(rest) > 0)
    return { usd: Number(rest) };
  if (scheme === 'https' && URL.canParse(text)) return { url: text };
  throw new Error('must be a URL that begins with https://, pyth:ADDRESS, or usd:142.5; correct it');
};

/** The address of a gRPC server. A path or a password would be ignored, and most providers' keys belong in a header. */
export const grpcUrl = (text: string) => {
  const { protocol, pathname, search, hash, username, password } = URL.canParse(text)
    ? new URL(text)
    : ({ protocol: '' } as URL);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Error('must be a URL that begins with https:// or http://; correct it');
  if (pathname !== '/' || search + hash + username + password !== '')
    throw new Error(
      'must be https://HOST:PORT with nothing else; set YELLOWSTONE_TOKEN to the key of the feed',
    );
  return text;
};

/** A URL of a database, which can have a password. */
export const connectionString =
  (...schemes: readonly string[]) =>
  (text: string) => {
    checkConnectionString(text, schemes);
    return text;
  };

/** The same for several, separated by commas. */
export const connectionStrings =
  (...schemes: readonly string[]) =>
  (text: string) => {
    const urls = listOf(text);
    for (const [index, one] of urls.entries()) {
      try {
        checkConnectionString(one, schemes);
      } catch (error) {
        throw new Error(`has an invalid entry ${index + 1}: it ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
    return urls;
  };

/** An explorer URL with `{path}`, which stands for `tx/SIGNATURE` or `address/ADDRESS`. */
export const explorer = (text: string) => {
  const isUsable = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && text.includes('{path}');
  if (!isUsable)
    throw new Error('must be an http or https URL with {path} in it, as https://explorer.solana.com/{path}');
  return text;
};

/** A base58 address of 32 bytes. Messages never quote the value, which can be a key that was pasted. */
export const publicKey = (text: string) => toPublicKey(text, 'must be');

/** Addresses, separated by commas. */
export const publicKeys = (text: string) =>
  listOf(text).map((item, index) => toPublicKey(item, `has an invalid entry ${index + 1}: it must be`));

/** Origins for CORS, separated by commas; `*` alone allows all. */
export const origins = (text: string): '*' | readonly string[] => {
  if (text === '*') return '*';
  return listOf(text).map((item) => {
    if (!URL.canParse(item) || new URL(item).origin !== item) {
      throw new Error(
        `names '${item}', which is not an origin; write it as https://example.com, without a path, or * for all`,
      );
    }
    return item;
  });
};

/** Origins of gateways, separated by commas. */
export const gateways = (text: string): string[] =>
  listOf(text).map((item) => {
    const parsed = URL.canParse(item) ? new URL(item) : undefined;
    const isOrigin = parsed?.protocol === 'https:' && parsed.pathname === '/' && parsed.search === '';
    if (!isOrigin || parsed.username !== '' || parsed.password !== '')
      throw new Error(
        `names '${item}'; each must be an https origin such as https://ipfs.io, without a path`,
      );
    return parsed.origin;
  });

/** Trusted proxies: their number, or their addresses and subnets, as in Express's `trust proxy`. */
export const proxies = (text: string): number | readonly string[] => {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  return listOf(text).map((item) => {
    const [ip = '', bits, ...rest] = item.split('/');
    const widest = isIP(ip) === 6 ? 128 : 32;
    const isSubnet = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest);
    if (isIP(ip) === 0 || rest.length > 0 || !isSubnet) {
      throw new Error(
        `names '${item}'; it must be the number of proxies in front of this service, or their addresses or subnets`,
      );
    }
    return item;
  });
};

/** A JSON pointer such as `/solana/usd`. */
export const jsonPointer = (text: string) => {
  if (!/^(\/[^/]*)+$/.test(text)) throw new Error('must be a JSON pointer such as /solana/usd; correct it');
  return text;
};

export const words = (longest: number) => (text: string) => {
  if (text.length > longest)
    throw new Error(`has ${text.length} characters; at most ${longest} are allowed: shorten it`);
  return text;
};

/** A key: its file as `solana-keygen` writes it, that file's content, or the URL of a signer. Messages never quote the value. */
export const key = (text: string) => signerOf(readKey(text));

function toPublicKey(text: string, must: string): PublicKey {
  try {
    return new PublicKey(text);
  } catch {
    throw new Error(
      `${must} a base58 address of 32 bytes; \`solana address -k FILE\` prints that of a keypair file`,
    );
  }
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

// Checks the connection strings of databases. They have passwords, and the characters that make them illegal are mostly in these.

/** Characters that end the password, the host or the address, or that no URL may have. */
const NEED_CODES = /[/?#@[\]\\<>^|"`{}]/;
/** The driver replaces a host that is missing in the same way. */
const ANY_HOST = '@host/';

/**
 * Checks a URL of a database with what a driver reads in it.
 *
 * @throws a message that continues "VARIABLE …", names a character to encode, and quotes nothing else of the text
 */
function checkConnectionString(text: string, schemes: readonly string[]): void {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/([^]*)$/i.exec(text) ?? [];
  if (!schemes.includes(scheme.toLowerCase())) {
    const begins = schemes.map((allowed) => `${allowed}://`).join(' or ');
    throw new Error(`must be a URL that begins with ${begins}; correct it`);
  }
  const space = /\s/.exec(rest);
  if (space !== null) throw mustEncode(space[0]);
  if (/%(?![0-9a-f]{2})/i.test(rest)) throw mustEncode('%');
  requireUtf8(rest);
  const misplaced = misplacedCharacter(rest);
  if (misplaced !== undefined) throw mustEncode(misplaced);
  if (!URL.canParse(text) && !URL.canParse(text.replace('@/', ANY_HOST)))
    throw new Error('is not a URL: check its host and its port, as in scheme://user:password@host:port/name');
}

/** The first character in the user or the password that must be percent-encoded; undefined if all are legal. */
function misplacedCharacter(rest: string): string | undefined {
  const [address = ''] = rest.split('#');
  const before = userAndPassword(rest);
  const found = before === undefined ? null : NEED_CODES.exec(before);
  if (found !== null) return found[0];
  // No driver reads what follows.
  return address.length < rest.length ? '#' : undefined;
}

/**
 * What is meant as user and password: all before the last `@`, unless that belongs to the path or the query, which only can
 * be when a host comes before it.
 */
function userAndPassword(rest: string): string | undefined {
  const at = rest.lastIndexOf('@');
  if (at < 0) return undefined;
  const query = /^[^?#]*\/[^?#]*\?/.exec(rest)?.[0].length ?? Infinity;
  const first = rest.indexOf('@');
  if (at < query) return rest.slice(0, at);
  // The last `@` is in the query. The user ends at one before the query, if there is one.
  const own = rest.lastIndexOf('@', query);
  return first < query ? rest.slice(0, own) : undefined;
}

function requireUtf8(rest: string): void {
  try {
    decodeURIComponent(rest);
  } catch {
    throw new Error('has a % code that is not UTF-8; encode each byte of the UTF-8 text, as %C3%A4 for ä');
  }
}

function mustEncode(character: string): Error {
  const code = `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  const shown = character.trim() === '' ? 'a space or a line break' : `the character ${character}`;
  return new Error(`has ${shown} where it must be written as ${code}, mostly in its password; write it so`);
}

// The gateways to IPFS and Arweave.
export interface Gateways {
  /** Origins that serve `/ipfs/CID` and `/ipns/NAME`, in the order in which they are tried. */
  readonly ipfs: readonly string[];
  /** Origins that serve `/TRANSACTION`. */
  readonly arweave: readonly string[];
}

export const USUAL_GATEWAYS: Gateways = {
  ipfs: ['https://ipfs.io', 'https://dweb.link', 'https://gateway.pinata.cloud'],
  arweave: ['https://arweave.net', 'https://permagate.io', 'https://ar-io.dev'],
};

/** What a process can do, as ROLE and `curvekit start --role` name it. */
export const ROLES = ['all', 'api', 'worker'] as const;

export type Role = (typeof ROLES)[number];

// A token's metadata JSON: written for uploads, and read from any token's uri.
import { z } from 'zod';

export const LONGEST_DESCRIPTION = 1_000;

export interface TokenDocument {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly links: Links;
  /** Absolute URL. */
  readonly image: string;
}

/** The JSON for a token's uri, with the fields that wallets and explorers read. */
export function documentText({ name, symbol, description, links, image }: TokenDocument): string {
  const { website, x, telegram, discord } = links;
  return JSON.stringify({
    name,
    symbol,
    description,
    image,
    external_url: website,
    extensions: { website, twitter: x, telegram, discord },
    properties: { category: 'image', files: [{ uri: image, type: 'image/webp' }] },
  });
}

const ANYTHING = z.record(z.string(), z.unknown());
/** The names under which a document has its links, at its top or in `extensions`. */
const FIELDS: Readonly<Record<LinkName, readonly string[]>> = {
  website: ['website', 'external_url', 'external_link'],
  x: ['x', 'twitter', 'twitter_url'],
  telegram: ['telegram', 'telegram_url'],
  discord: ['discord', 'discord_url'],
};
const TITLES: Readonly<Record<LinkName, string>> = {
  website: 'Website',
  x: 'X',
  telegram: 'Telegram',
  discord: 'Discord',
};

/**
 * Optional fields of a document. It is untrusted, so fields of an unexpected type are omitted. Text in a link's field that is
 * not a link is added to the description, as a line of its own.
 */
export function aboutOf(document: unknown): {
  readonly description: string | null;
  readonly links: Links | null;
} {
  const fields = fieldsOf(document);
  const extensions = fieldsOf(fields['extensions']);
  const links: Partial<Record<LinkName, string>> = {};
  const lines = [textOf(fields['description'])];
  for (const name of LINKS) {
    const given = FIELDS[name].flatMap((field) => [textOf(fields[field]), textOf(extensions[field])]);
    const link = given.map((text) => completedLink(name, text)).find((found) => found !== undefined);
    if (link !== undefined) links[name] = link;
    else lines.push(asText(TITLES[name], given.find((text) => text !== '') ?? ''));
  }
  const description = lines.filter((line) => line !== '').join('\n');
  return {
    description:
      description === ''
        ? null
        : [...description.replaceAll('\0', '\uFFFD')].slice(0, LONGEST_DESCRIPTION).join(''),
    links: Object.keys(links).length === 0 ? null : links,
  };
}

/** The image that a document names, not checked; undefined when it names none. */
export function imageOf(document: unknown): string | undefined {
  const { image, image_url: imageUrl, logoURI, properties } = fieldsOf(document);
  const { files } = fieldsOf(properties);
  const [file] = Array.isArray(files) ? (files as readonly unknown[]) : [];
  const given = [image, fieldsOf(image)['url'], imageUrl, logoURI, fieldsOf(file)['uri']];
  return given.map(textOf).find((text) => text !== '');
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return ANYTHING.safeParse(value).data ?? {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Text with a scheme is a link to something else, such as `javascript:`. */
function asText(title: string, text: string): string {
  const isShown = text !== '' && text.length <= LONGEST_LINK && !/[\r\n]|^[a-z][a-z0-9+.-]*:/i.test(text);
  return isShown ? `${title}: ${text}` : '';
}

export const picturePath = (hash: string) => `/v1/market/images/${hash}.webp`;
export const documentPath = (hash: string) => `/v1/market/metadata/${hash}.json`;

/**
 * The hash in the uri of a document that was uploaded to this service; undefined for other uris. @param publicUrl of this
 * service, if known
 */
export function ownDocument(uri: string, publicUrl: string | undefined): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { origin, pathname } = new URL(uri);
  if (publicUrl !== undefined && new URL(publicUrl).origin !== origin) return undefined;
  return /\/v1\/market\/metadata\/([0-9a-f]{64})\.json$/.exec(pathname)?.[1];
}

/** The hash in the URL of a picture stored here. */
export function pictureIn(address: string): string | undefined {
  return /\/v1\/market\/images\/([0-9a-f]{64})\.webp$/.exec(address)?.[1];
}

// Links as creators write them: whole, without a scheme, or only a name.

export const LINKS = ['website', 'x', 'telegram', 'discord'] as const;
export type LinkName = (typeof LINKS)[number];
/** The same for each link. */
export const ofEachLink = <Value>(value: Value): Record<LinkName, Value> =>
  Object.fromEntries(LINKS.map((name) => [name, value])) as Record<LinkName, Value>;
export type Links = Readonly<Partial<Record<LinkName, string>>>;

export const LONGEST_LINK = 200;

/** Names of a place's accounts, as links to them. */
const NAMES: Readonly<Partial<Record<LinkName, readonly [RegExp, string]>>> = {
  x: [/^@(\w{1,15})$/, 'https://x.com/'],
  telegram: [/^@([A-Za-z]\w{3,31})$/, 'https://t.me/'],
};
/** A domain with an optional path or query. The last label has no digits, so `v1.5` and IP addresses do not match. */
const BARE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}(?::\d{1,5})?(?:[/?#].*)?$/i;

/** Whether text is an https URL that a page may link to. */
export function isLink(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= LONGEST_LINK &&
    URL.canParse(value) &&
    new URL(value).protocol === 'https:'
  );
}

/** The link that the text means; undefined when it means none. */
function completedLink(name: LinkName, given: string): string | undefined {
  const text = given.trim();
  const [pattern, root] = NAMES[name] ?? [];
  const [, account] = pattern?.exec(text) ?? [];
  let link = text.replace(/^(?:http:)?\/\//i, 'https://');
  if (account !== undefined) link = `${root}${account}`;
  else if (BARE.test(text)) link = `https://${text}`;
  if (!isLink(link)) return undefined;
  const url = new URL(link);
  // `https://x.com@example.org` leads to example.org.
  return url.username === '' && url.password === '' ? url.href : undefined;
}

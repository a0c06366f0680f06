// A token's metadata JSON: written for uploads, and read from any token's uri.
import { z } from 'zod';

export const LINKS = ['website', 'x', 'telegram', 'discord'] as const;
export type LinkName = (typeof LINKS)[number];
export type Links = Readonly<Partial<Record<LinkName, string>>>;

export const LONGEST_DESCRIPTION = 1_000;
export const LONGEST_LINK = 200;

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

/** Optional fields of a document. It is untrusted, so fields of an unexpected type are omitted. */
export function aboutOf(document: unknown): {
  readonly description: string | null;
  readonly links: Links | null;
} {
  const fields = ANYTHING.safeParse(document).data ?? {};
  const extensions = ANYTHING.safeParse(fields['extensions']).data ?? {};
  const first = (...names: readonly string[]) => {
    const link = names.flatMap((name) => [fields[name], extensions[name]]).find(isLink);
    return link === undefined ? undefined : new URL(link).href;
  };
  const found = {
    website: first('website', 'external_url'),
    x: first('x', 'twitter'),
    telegram: first('telegram'),
    discord: first('discord'),
  };
  const links = Object.fromEntries(Object.entries(found).filter(([, link]) => link !== undefined)) as Links;
  const description = typeof fields['description'] === 'string' ? fields['description'].trim() : '';
  return {
    description:
      description === ''
        ? null
        : [...description.replaceAll('\0', '\uFFFD')].slice(0, LONGEST_DESCRIPTION).join(''),
    links: Object.keys(links).length === 0 ? null : links,
  };
}

/** Whether text is an https URL that a page may link to. */
export function isLink(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= LONGEST_LINK &&
    URL.canParse(value) &&
    new URL(value).protocol === 'https:'
  );
}

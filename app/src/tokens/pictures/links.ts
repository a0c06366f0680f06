// Links as creators write them: whole, without a scheme, or only a name.

export const LINKS = ['website', 'x', 'telegram', 'discord'] as const;
export type LinkName = (typeof LINKS)[number];
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
export function completedLink(name: LinkName, given: string): string | undefined {
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

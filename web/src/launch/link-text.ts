// Links as creators type them: whole, without a scheme, or only an account.
export const LINKS = ['website', 'x', 'telegram', 'discord'] as const;
type LinkName = (typeof LINKS)[number];

const ACCOUNTS: Readonly<Partial<Record<LinkName, string>>> = {
  x: 'https://x.com/',
  telegram: 'https://t.me/',
};

/** The link that people mean by `example.com` and `@otter`; other text as it is. */
export function completedLink(name: LinkName, text: string): string {
  const given = text.trim();
  const account = ACCOUNTS[name];
  if (account !== undefined && /^@\w{1,32}$/.test(given)) return account + given.slice(1);
  if (/^(?:[\w-]+\.)+[a-z]{2,}(?:[/?#]\S*)?$/i.test(given)) return `https://${given}`;
  return given.replace(/^http:\/\//i, 'https://');
}

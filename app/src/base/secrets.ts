// Keys in configured URLs. Nodes and libraries quote the URL of a request in their errors, and gateways quote the key.

import { BoundedMap } from './bounded-map.js';

/** Only configurations add secrets. A process has one; tests have many. */
const MOST_SECRETS = 1_000;
const HIDDEN = '[redacted]';
const SHORTEST = 6;
/** What URLs of nodes have besides keys: words and versions. */
const WORDS = /^(?:[a-z]{1,20}(?:[-_][a-z]{1,20})*|v\d+)$/;
const KEY_NAMES = /key|token|secret|auth|pass/i;

const secrets = new BoundedMap<string, true>(MOST_SECRETS);

/** Remembers the keys of a URL: its password, and what is no word in its path and its query. */
export function keepSecretsOf(url: string | undefined): void {
  if (url === undefined) return;
  const { username, password, pathname, searchParams } = new URL(url);
  const found = [
    password === '' ? username : password,
    ...pathname.split('/').filter((part) => !WORDS.test(part)),
    ...[...searchParams].flatMap(([name, value]) =>
      KEY_NAMES.test(name) || !WORDS.test(value) ? [value] : [],
    ),
  ];
  for (const form of found.flatMap(formsOf)) keep(form);
}

/** How a part of a URL can be written in an error. */
export function formsOf(part: string): string[] {
  return [part, decoded(part), encodeURIComponent(part)];
}

/** Remembers a secret that is a variable by itself. */
export function keepSecret(secret: string | undefined): void {
  if (secret !== undefined) keep(secret);
}

function keep(secret: string): void {
  if (secret.length >= SHORTEST) secrets.set(secret, true);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function hideSecrets(text: string): string {
  let shown = text;
  for (const secret of secrets.keys()) if (shown.includes(secret)) shown = shown.replaceAll(secret, HIDDEN);
  return shown;
}

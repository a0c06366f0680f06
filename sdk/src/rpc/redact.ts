// Texts of an RPC node, safe to print: short, in one line, without the secret parts of the node's URL.
import { parseUrl } from '../platform/url.js';

const MOST_CHARACTERS = 200;
/** Shorter parts of a URL are words such as `v2`. */
const SHORTEST_SECRET = 6;
const URL_IN_TEXT = /\b(?:https?|wss?):\/\/[^\s"'<>)]+/gi;

/** Shortens a text, and removes URLs' paths and the parts of the node's URL that may be keys. */
export function redacted(text: string, endpoint: string | undefined): string {
  let safe = text.replace(URL_IN_TEXT, (url) => hostOf(url) ?? 'a URL');
  for (const secret of secretsOf(endpoint)) safe = safe.replaceAll(secret, '…');
  const line = withoutTags(safe).replace(/\s+/g, ' ').trim();
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
}

/** Whether an error can be attached as a cause: it is short and names no secret. */
export function isSafe(error: unknown, endpoint: string | undefined): boolean {
  const { message = '', cause } = Object(error) as Partial<Error>;
  if (message.length > MOST_CHARACTERS || redacted(message, endpoint) !== message.replace(/\s+/g, ' ').trim())
    return false;
  return cause === undefined || isSafe(cause, endpoint);
}

/** Host of a URL. Undefined for a text that is not a URL. */
export function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : parseUrl(url)?.host;
}

/** A page's title says more than its markup. */
function withoutTags(text: string): string {
  if (!/<(?:!doctype|html|head|body)\b/i.test(text)) return text;
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1];
  return title ?? text.replace(/<(style|script)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
}

function secretsOf(endpoint: string | undefined): string[] {
  const url = endpoint === undefined ? undefined : parseUrl(endpoint);
  if (url === undefined) return [];
  const { username, password, pathname, searchParams } = url;
  const parts = [username, password, ...pathname.split('/'), ...searchParams.values()];
  const all = parts.flatMap((part) => [part, decoded(part), encodeURIComponent(part)]);
  return [...new Set(all)].filter(({ length }) => length >= SHORTEST_SECRET);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

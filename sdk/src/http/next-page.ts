// Reads the next page from the Link header (RFC 8288) of an answer.
import { parseUrl } from '../platform/url.js';
import { ConnectionError } from './errors.js';

/** Longer headers are rejected. No page of this service needs one. */
const LONGEST_HEADER = 8_192;
const LINK = /<([^<>]*)>\s*((?:;\s*[\w*]+\s*=\s*(?:"[^"]*"|[^\s",;]+)\s*)*)(?:,|$)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i;

/**
 * The query of the next page. Undefined on the last page. A link must not decide where a signed request goes, so it
 * must have the same address as the answered request.
 *
 * @param asked URL of the request that was answered
 * @throws ConnectionError when the link has another address
 */
export function nextPageQuery(header: string | null, asked: string): Record<string, string> | undefined {
  if (header === null) return undefined;
  if (header.length > LONGEST_HEADER)
    throw new ConnectionError(`the Link header of the answer has more than ${LONGEST_HEADER} characters`);
  const target = targetOf(header);
  if (target === undefined) return undefined;
  const [next, from] = [parseUrl(target, asked), new URL(asked)];
  if (next?.origin !== from.origin || next.pathname !== from.pathname || next.username !== '') {
    throw new ConnectionError(
      `the answer's next page is at '${target}', not at ${from.origin}${from.pathname}: ` +
        `baseUrl must be the URL under which the service knows itself (PUBLIC_URL)`,
    );
  }
  return Object.fromEntries(next.searchParams);
}

function targetOf(header: string): string | undefined {
  for (const [, target, parameters = ''] of header.matchAll(LINK)) {
    const [, quoted, plain] = REL.exec(parameters) ?? [];
    if ((quoted ?? plain ?? '').toLowerCase().split(/\s+/).includes('next')) return target;
  }
  return undefined;
}

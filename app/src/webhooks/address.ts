// Which addresses an endpoint may have. What a name resolves to is checked for each connection.
import { isIP } from 'node:net';
import { isPublicAddress } from '../tokens/metadata/public-address.js';

const LONGEST = 2_048;

/**
 * What is wrong with the address of an endpoint; undefined when events may go there.
 *
 * @param allowsInside whether http and addresses inside the network will do: only with a simulated cluster
 */
export function addressProblem(text: string, allowsInside: boolean): string | undefined {
  if (text.length > LONGEST) return `must have at most ${LONGEST} characters`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && !(allowsInside && url?.protocol === 'http:'))
    return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'must have no user and no password';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !allowsInside && !isPublicAddress(host))
    return `must lead to a public address, which ${host} is not`;
  return undefined;
}

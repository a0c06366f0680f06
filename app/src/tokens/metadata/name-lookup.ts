// Looks up the addresses of an untrusted name. Asks the name servers directly: the system's lookup would block one of this
// process's few threads for as long as a hostile name server delays its answer.
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/**
 * Every address of a name.
 *
 * @param nameServers as `address:port`; the default is the system's
 * @throws Error when the name has no address, or the signal aborts
 */
export async function resolveHost(
  name: string,
  signal: AbortSignal,
  nameServers?: readonly string[],
): Promise<LookupAddress[]> {
  signal.throwIfAborted();
  const resolver = new Resolver();
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [
      ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
      ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    throw ipv4.status === 'rejected' ? (ipv4.reason as Error) : new Error(`${name} has no address`);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

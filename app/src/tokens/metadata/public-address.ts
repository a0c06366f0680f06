// Decides which IP addresses a token creator's URL may lead to: public ones only, never the local network.
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** IANA's special-purpose registries: everything that is not globally reachable. */
const SPECIAL_IPV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's platform: public by number, and only reachable from inside.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Exceptions within 2000::/3, IPv6's global unicast space. No address outside it is allowed. */
const SPECIAL_IPV6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, bits] of SPECIAL_IPV4) special.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of SPECIAL_IPV6) special.addSubnet(network, bits, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is public. An IPv4 address in any IPv6 notation is not. */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return !special.check(ip, 'ipv4');
  return isIPv6(ip) && globalUnicast.check(ip, 'ipv6') && !special.check(ip, 'ipv6');
}

// Looks up the addresses of an untrusted name. Asks the name servers directly: the system's lookup would block one of this
// process's few threads for as long as a hostile name server delays its answer.

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

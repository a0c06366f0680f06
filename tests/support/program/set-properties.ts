import { fetchProperties } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';

/** What migrations/deploy.ts sets where nothing else is asked for. */
export const DEFAULTS = {
  initialVirtualSol: 30_000_000_000n,
  initialVirtualToken: 1_073_000_000_000_000n,
  platformFeeBps: 100,
};

/** What is set on a cluster; null where nothing is. */
export async function propertiesOf({ connection }: LocalCluster) {
  const found = await fetchProperties(connection);
  if (found === null) return null;
  const { initialVirtualSol, initialVirtualToken, platformFeeBps } = found;
  return { initialVirtualSol, initialVirtualToken, platformFeeBps };
}

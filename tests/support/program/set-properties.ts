import { fetchProperties } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';

/** The default properties of migrations/deploy.ts. */
export const DEFAULTS = {
  initialVirtualSol: 30_000_000_000n,
  initialVirtualToken: 1_073_000_000_000_000n,
  platformFeeBps: 100,
};

/** The properties on a cluster; null if they are not set. */
export async function propertiesOf({ connection }: LocalCluster) {
  const found = await fetchProperties(connection);
  if (found === null) return null;
  const { initialVirtualSol, initialVirtualToken, platformFeeBps } = found;
  return { initialVirtualSol, initialVirtualToken, platformFeeBps };
}

// The cluster that a file of integration tests runs on, chosen by the environment variable CLUSTER: surfpool (the
// default), validator, or an RPC URL.
import {
  DEFAULT_PROPERTIES,
  startLocalCluster,
  type LocalCluster,
  type LocalClusterOptions,
} from '@curvekit/sdk/testing';

const START_TIMEOUT_MS = 120_000;

/** What CLUSTER says. */
export const CLUSTER = process.env['CLUSTER'] || 'surfpool';

/** Starts the cluster that CLUSTER names, with the default properties whatever an earlier user of a URL left there. */
export function clusterFromEnvironment(
  options: Omit<LocalClusterOptions, 'backend'> = {},
): Promise<LocalCluster> {
  return startLocalCluster({ properties: DEFAULT_PROPERTIES, ...options, backend: CLUSTER });
}

/**
 * Starts one cluster before the tests of the surrounding `describe` (or file) and stops it after them.
 *
 * @returns A function that gives the running cluster; call it inside hooks and tests only.
 */
export function useCluster(options?: Omit<LocalClusterOptions, 'backend'>): () => LocalCluster {
  let cluster: LocalCluster | undefined;
  before('start the cluster', async function () {
    this.timeout(START_TIMEOUT_MS);
    cluster = await clusterFromEnvironment(options);
  });
  after('stop the cluster', async function () {
    this.timeout(START_TIMEOUT_MS);
    await cluster?.stop();
  });
  return () => {
    if (cluster === undefined) throw new Error('the cluster runs inside hooks and tests only');
    return cluster;
  };
}

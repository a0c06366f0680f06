// The cluster that a file of integration tests runs on, chosen by the environment variable CLUSTER: surfpool (the
// default), validator, or an RPC URL.
import {
  DEFAULT_PROPERTIES,
  findValidator,
  startLocalCluster,
  type LocalCluster,
  type LocalClusterOptions,
} from '@curvekit/testing';

const START_TIMEOUT_MS = 120_000;
/** Shorter than mainnet's 400 ms: every confirmation and finality is waited for. */
const VALIDATOR_SLOT_MS = 100;

/** What CLUSTER says. */
export const CLUSTER = process.env['CLUSTER'] || 'surfpool';

/**
 * Starts the cluster that CLUSTER names, with the default properties: it resets what an earlier user of a URL has set. With
 * `properties: false` a URL will not do, as properties are there for good: it starts one of its own then.
 */
export function clusterFromEnvironment(
  options: Omit<LocalClusterOptions, 'backend'> = {},
): Promise<LocalCluster> {
  const isRunning = URL.canParse(CLUSTER);
  const backend = isRunning && options.properties === false ? freshBackend() : CLUSTER;
  const slotTimeMs = backend === 'validator' ? VALIDATOR_SLOT_MS : undefined;
  return startLocalCluster({
    properties: DEFAULT_PROPERTIES,
    ...(slotTimeMs !== undefined && { slotTimeMs }),
    ...options,
    backend,
  });
}

/**
 * Starts one cluster before the tests of the surrounding `describe` (or file) and stops it after them. A validator takes ten
 * seconds to start: files that ask for nothing special share one, whose properties are the default ones for each of them.
 *
 * @returns A function that gives the running cluster; call it inside hooks and tests only.
 */
export function useCluster(options?: Omit<LocalClusterOptions, 'backend'>): () => LocalCluster {
  let cluster: LocalCluster | undefined;
  before('start the cluster', async function () {
    this.timeout(START_TIMEOUT_MS);
    const shares = CLUSTER === 'validator' && options === undefined;
    cluster = shares ? await onSharedValidator() : await clusterFromEnvironment(options);
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

let validator: Promise<LocalCluster> | undefined;

async function onSharedValidator(): Promise<LocalCluster> {
  const { rpcUrl, wsUrl, payer } = await (validator ??= clusterFromEnvironment());
  return startLocalCluster({ backend: rpcUrl, wsUrl, payer, properties: DEFAULT_PROPERTIES });
}

// Loaded by a test file, this is a hook around all tests of the run.
after('stop the shared validator', async function () {
  this.timeout(START_TIMEOUT_MS);
  await (await validator)?.stop();
});

function freshBackend(): string {
  return findValidator() === undefined ? 'surfpool' : 'validator';
}

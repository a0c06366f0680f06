// The cluster that a file of integration tests runs on, chosen by the environment variable CLUSTER: surfpool (the
// default), validator, or an RPC URL.
import {
  DEFAULT_PROPERTIES,
  findValidator,
  startLocalCluster,
  type LocalCluster,
  type LocalClusterOptions,
} from '@curvekit/testing';

/** Shorter than mainnet's 400 ms, because the tests wait for every confirmation and finality. */
const VALIDATOR_SLOT_MS = 100;

export const CLUSTER = process.env['CLUSTER'] || 'surfpool';

/** A build of the curve's program that takes the place of the default one: `npm run mutants` alters it. */
const CURVE_SO = process.env['CURVE_SO'];

/**
 * Starts the cluster that CLUSTER names, with the default properties; on a URL it resets the properties. With
 * `properties: false` or `graduation` it starts a cluster of its own instead of a URL, because a running one keeps its
 * properties and programs.
 */
export function clusterFromEnvironment(
  options: Omit<LocalClusterOptions, 'backend'> = {},
): Promise<LocalCluster> {
  const isRunning = URL.canParse(CLUSTER);
  const isOwn = options.properties === false || options.graduation !== undefined;
  const backend = isRunning && isOwn ? freshBackend() : CLUSTER;
  const slotTimeMs = backend === 'validator' ? VALIDATOR_SLOT_MS : undefined;
  return startLocalCluster({
    properties: DEFAULT_PROPERTIES,
    ...(slotTimeMs !== undefined && { slotTimeMs }),
    ...(CURVE_SO !== undefined && options.graduation !== false && { programSo: CURVE_SO }),
    ...options,
    backend,
  });
}

/**
 * Starts one cluster before the tests of the surrounding `describe` (or file) and stops it after them. A validator
 * takes ten seconds to start, so files with the same build share one. Each file starts with the default properties.
 *
 * @returns A function that returns the running cluster; call it only inside hooks and tests.
 */
export function useCluster(options?: Omit<LocalClusterOptions, 'backend'>): () => LocalCluster {
  let cluster: LocalCluster | undefined;
  before('start the cluster', async () => {
    const shares = CLUSTER === 'validator' && (options === undefined || options === KEY_HELD);
    cluster = shares ? await onSharedValidator(options) : await clusterFromEnvironment(options);
  });
  after('stop the cluster', () => cluster?.stop());
  return () => {
    if (cluster === undefined) throw new Error('the cluster runs inside hooks and tests only');
    return cluster;
  };
}

const KEY_HELD: LocalClusterOptions = { graduation: false };

/** Like `useCluster`, with the build whose fee receiver is a key: that key migrates sold-out curves. */
export function useKeyHeldCluster(): () => LocalCluster {
  return useCluster(KEY_HELD);
}

type SharedOptions = typeof KEY_HELD | undefined;
let sharedValidator: { options: SharedOptions; running: LocalCluster } | undefined;

/** One runs at a time, because each takes a quarter of a core: files that share one should follow one another. */
async function onSharedValidator(options: SharedOptions): Promise<LocalCluster> {
  if (sharedValidator?.options !== options) await stopSharedValidator();
  sharedValidator ??= { options, running: await clusterFromEnvironment(options) };
  const { rpcUrl, wsUrl, payer } = sharedValidator.running;
  return startLocalCluster({ ...options, backend: rpcUrl, wsUrl, payer, properties: DEFAULT_PROPERTIES });
}

// At the top level of a module this hook applies to all tests of the run.
after('stop the shared validator', () => stopSharedValidator());

async function stopSharedValidator(): Promise<void> {
  const stopped = sharedValidator;
  sharedValidator = undefined;
  await stopped?.running.stop();
}

function freshBackend(): string {
  return findValidator() === undefined ? 'surfpool' : 'validator';
}

// Whether the cluster is a simulator (Surfpool). Its blocks prove nothing, but it is a single process that never deletes
// history, so its answers are trusted. Only the operator's configuration decides this: an RPC node that could claim it
// could cause double payments.
import { NodeError } from './node-errors.js';

/** The RPC node is not of the configured kind. The message says what to do. */
export class OtherClusterError extends NodeError {}

/** Compares the configured kind of cluster with the RPC node's. */
export class Simulator {
  #isAgreed = false;

  /** @param isConfigured whether SIMULATED_CLUSTER is on */
  constructor(private readonly isConfigured: boolean) {}

  /**
   * Whether the cluster is a simulation.
   *
   * @param askVersion requests the RPC node's `getVersion`; called until it agrees once
   * @throws OtherClusterError when the RPC node contradicts the configuration
   */
  async isSimulated(askVersion: () => Promise<unknown>): Promise<boolean> {
    if (!this.#isAgreed) {
      const problem = simulatorProblem(this.isConfigured, await askVersion());
      if (problem !== undefined) throw new OtherClusterError(problem);
      this.#isAgreed = true;
    }
    return this.isConfigured;
  }
}

/** The problem, and what to do, when the `getVersion` answer contradicts the configuration. */
export function simulatorProblem(isConfigured: boolean, version: unknown): string | undefined {
  if (isSurfpool(version) === isConfigured) return undefined;
  return isConfigured
    ? 'SIMULATED_CLUSTER is on, and the node at RPC_URL is not a Surfpool; set RPC_URL to your Surfpool, or SIMULATED_CLUSTER=off'
    : 'the node at RPC_URL is a Surfpool, a simulator whose blocks prove nothing; set RPC_URL to a node of a real cluster, or SIMULATED_CLUSTER=on where nothing has a value';
}

function isSurfpool(version: unknown): boolean {
  return typeof version === 'object' && version !== null && 'surfnet-version' in version;
}

// Whether the cluster is a simulation, Surfpool: its blocks are made up, so they prove nothing, but it is one process that
// forgets nothing, so its word is taken. Because the operator's configuration says so: a node's word about itself would let
// it decide what is paid twice.
import { NodeError } from './node-errors.js';

/** The node is of another kind than configured. The message says what to do. */
export class OtherClusterError extends NodeError {}

/** What the configuration says of the cluster, compared with what the node says. */
export class Simulator {
  #isAgreed = false;

  /** @param isConfigured whether SIMULATED_CLUSTER is on */
  constructor(private readonly isConfigured: boolean) {}

  /**
   * Whether the cluster is a simulation.
   *
   * @param askVersion the node's answer to `getVersion`; asked until it agrees
   * @throws OtherClusterError when the node says something else than the configuration
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

/** What is wrong when the node that answered `getVersion` so is of another kind than configured, and what to do. */
export function simulatorProblem(isConfigured: boolean, version: unknown): string | undefined {
  if (isSurfpool(version) === isConfigured) return undefined;
  return isConfigured
    ? 'SIMULATED_CLUSTER is on, and the node at RPC_URL is no Surfpool; set RPC_URL to your Surfpool, or SIMULATED_CLUSTER=off'
    : 'the node at RPC_URL is a Surfpool, a simulator whose blocks prove nothing; set RPC_URL to a node of a real cluster, or SIMULATED_CLUSTER=on where nothing has a value';
}

function isSurfpool(version: unknown): boolean {
  return typeof version === 'object' && version !== null && 'surfnet-version' in version;
}

// Simulates two changes at an RPC provider. After an upgrade, listing from an unknown transaction is an error (as in
// Agave 4)
// and transactions have other versions. After pruning, the ledger lacks old blocks.
import type { PublicKey } from '@solana/web3.js';
import { RpcFailure, type Ask, type Rewrite } from './rpc-proxy.js';

interface Placed {
  readonly slot: number;
}

interface Returned extends Placed {
  /** Without `message` if the request's encoding is binary. */
  readonly transaction: { readonly message?: { readonly accountKeys: readonly string[] } };
}

type Transform = (call: { readonly params: readonly unknown[] }, result: unknown, ask: Ask) => unknown;

/** Rewrites a real node's answers. Pass `rewrite` to a proxy that accepts batches. */
export class Provider {
  readonly #versions = new Map<string, number>();
  #newest = 255;
  #firstSlot = 0;

  /** Gives this version to transactions whose fee payer is this key. */
  giveVersion(feePayer: PublicKey, version: number): void {
    this.#versions.set(feePayer.toBase58(), version);
  }

  /** The newest version that the node can encode, whatever version a request allows. */
  setNewestVersion(version: number): void {
    this.#newest = version;
  }

  /** Forgets everything before a slot. */
  pruneBefore(slot: number): void {
    this.#firstSlot = slot;
  }

  readonly rewrite: Rewrite = (call, result, { ask }) => {
    // An error of the real node stays an error.
    if (result === undefined) return result;
    const transform = this.#transforms[call.method];
    return transform === undefined ? result : transform(call, result, ask);
  };

  readonly #transforms: Readonly<Record<string, Transform>> = {
    getTransaction: ({ params }, result) => {
      const found = result as Returned | null;
      return found === null || this.#isPruned(found) ? null : this.#inItsVersion(params, found);
    },
    getSignatureStatuses: (_, result) => {
      const { value, ...others } = result as { value: (Placed | null)[] };
      return { ...others, value: value.map((found) => (this.#isPruned(found) ? null : found)) };
    },
    getSignaturesForAddress: async ({ params }, result, ask) => {
      const { before, until } = (params[1] ?? {}) as { before?: string; until?: string };
      for (const place of [before, until]) {
        if (place !== undefined && (await this.#lacks(place, ask))) {
          return new RpcFailure(-32_020, `Transaction ${place} not found`);
        }
      }
      return (result as Placed[]).filter((found) => !this.#isPruned(found));
    },
    getFirstAvailableBlock: (_, result) => Math.max(result as number, this.#firstSlot),
    getBlocks: (_, result) => (result as number[]).filter((slot) => slot >= this.#firstSlot),
    getBlock: ({ params }, result) =>
      (params[0] as number) < this.#firstSlot
        ? new RpcFailure(-32_001, `Block ${String(params[0])} cleaned up, does not exist on node`)
        : result,
  };

  #isPruned(found: Placed | null): boolean {
    return found !== null && found.slot < this.#firstSlot;
  }

  async #lacks(signature: string, ask: Ask): Promise<boolean> {
    const params = [[signature], { searchTransactionHistory: true }];
    const { value } = (await ask({ method: 'getSignatureStatuses', params })) as { value: (Placed | null)[] };
    const status = value[0] ?? null;
    return status === null || this.#isPruned(status);
  }

  #inItsVersion(params: readonly unknown[], found: Returned): unknown {
    const version = this.#versions.get(found.transaction.message?.accountKeys[0] ?? '');
    if (version === undefined) return found;
    const { maxSupportedTransactionVersion: most = 0 } = (params[1] ?? {}) as Record<string, number>;
    if (version <= Math.min(most, this.#newest)) return { ...found, version };
    return new RpcFailure(
      -32_015,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  }
}

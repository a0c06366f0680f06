// The answers of a real cluster to one trade or launch. The model cluster gives them again for each schedule.
import { Connection } from '@solana/web3.js';
import { startRpcProxy } from '#tests/node/rpc-proxy.js';

type Account = object | null;

export interface Recording {
  /** A copy of what the cluster answered. Null for an account that did not exist. */
  account(key: string): Account;
  readonly simulated: object;
  /** The transaction as it landed, under another signature. */
  landed(signature: string, landing: { readonly slot: number; readonly err: unknown }): object;
}

interface Answered {
  readonly value: unknown;
}

/** Runs `work` against a cluster, and records what the cluster answers until then. */
export async function record(
  rpcUrl: string,
  work: (connection: Connection) => Promise<{ readonly signature: string }>,
): Promise<Recording> {
  const accounts = new Map<string, Account>();
  let simulated: object | undefined;
  let transaction: { readonly transaction: object; readonly meta: object } | undefined;
  const proxy = await startRpcProxy(rpcUrl);
  proxy.rewrite(({ method, params }, result) => {
    if (method === 'getMultipleAccounts')
      for (const [index, key] of (params[0] as string[]).entries())
        accounts.set(key, ((result as Answered).value as Account[])[index] ?? null);
    if (method === 'simulateTransaction') simulated = (result as Answered).value as object;
    if (method === 'getTransaction' && result !== null) transaction = result as typeof transaction;
    return result;
  });
  try {
    await work(new Connection(proxy.url, 'confirmed'));
  } finally {
    await proxy.stop();
  }
  if (simulated === undefined || transaction === undefined)
    throw new Error('nothing was simulated or landed');
  const { meta, ...rest } = transaction;
  return {
    simulated,
    account(key) {
      const account = accounts.get(key);
      if (account === undefined) throw new Error(`account ${key} was not asked for`);
      return account;
    },
    landed(signature, { slot, err }) {
      // Nobody reads what a failed transaction did.
      const failed = { logMessages: [], innerInstructions: [] };
      return {
        ...rest,
        slot,
        transaction: { ...rest.transaction, signatures: [signature] },
        meta: { ...meta, ...(err === null ? {} : failed), err },
      };
    },
  };
}

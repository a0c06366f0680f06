import { Connection, type ConnectionConfig } from '@solana/web3.js';
import { httpFetch } from './http-fetch.js';

/** A connection to a local cluster, with the commitment `confirmed`. */
export function openConnection(rpcUrl: string, config: ConnectionConfig = {}): Connection {
  // web3.js declares the type of an old polyfill. It reads the status and the text only.
  const fetch = httpFetch as unknown as NonNullable<ConnectionConfig['fetch']>;
  return new Connection(rpcUrl, { commitment: 'confirmed', fetch, ...config });
}

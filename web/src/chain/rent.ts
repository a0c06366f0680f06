// What an account must hold, by the node. Clusters change it, so the page asks again after ten minutes.
import { useEffect, useState } from 'react';
import { useConfig } from '../config.js';
import type { MarketConfig } from '../market/types.js';
import { rpc, rpcUrlOf } from './rpc.js';

/** Lamports that an account with so many bytes of data must hold. */
export type Rent = (bytes: number) => bigint;

export const TOKEN_ACCOUNT_BYTES = 165;
/** Bytes that the cluster adds to every account. Each byte costs the same. */
const OVERHEAD_BYTES = 128;
const REMEMBERED_MS = 600_000;

let known: { readonly rent: Promise<Rent>; readonly at: number } | undefined;

/** @throws Error when the node does not answer */
export function readRent(config: MarketConfig): Promise<Rent> {
  if (known !== undefined && Date.now() - known.at < REMEMBERED_MS) return known.rent;
  const asked = rpc<number>(rpcUrlOf(config), 'getMinimumBalanceForRentExemption', [0]);
  const rent = asked.then(
    (ofEmpty): Rent =>
      (bytes) =>
        (BigInt(ofEmpty) * BigInt(OVERHEAD_BYTES + bytes)) / BigInt(OVERHEAD_BYTES),
  );
  rent.catch(() => (known = undefined));
  known = { rent, at: Date.now() };
  return rent;
}

/** Undefined until the node has answered. */
export function useRent(): Rent | undefined {
  const config = useConfig();
  const [rent, setRent] = useState<Rent>();
  useEffect(() => {
    readRent(config).then(
      (read) => setRent(() => read),
      (error: unknown) => console.warn('the rent cannot be read', error),
    );
  }, [config]);
  return rent;
}

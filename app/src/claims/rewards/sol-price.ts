// SOL's price in USD, from the configured source.
import type { Connection, PublicKey } from '@solana/web3.js';
import type { Peers } from '../../base/peers.js';
import type { Logger } from '../../base/logging/logging.js';
import { askNode } from '../../chain/connection.js';
import { readDocument, type DocumentSource } from './price-document.js';
import { readPriceAccount, usdOf, type PythPrice } from './pyth-price.js';

/** A price older than this is read again. */
export const FRESH_MS = 60_000;
/** A price older than this is not used. */
export const USABLE_MS = 600_000;
/** A source's clock may be ahead of this machine's by this much. */
const AHEAD_MS = 60_000;
const TIMEOUT_MS = 3_000;
/** A higher price is an error of the source. */
const HIGHEST_USD = 1_000_000_000;

/** A document of a server, a price account of Pyth, or a fixed price. */
export type PriceSource = DocumentSource | { readonly account: PublicKey } | { readonly usd: number };

export interface SolPrice {
  /** Price of one SOL in the display currency: 1 when that is SOL, undefined when unknown. */
  current(): number | undefined;
}

interface Reading {
  readonly usd: number;
  /** Unix milliseconds of the source; of the reading where the source has none. */
  readonly at: number;
}

export interface UsdPrice extends SolPrice {
  /** The price with its time; undefined when unknown. */
  read(): Reading | undefined;
}

export const IN_SOL: SolPrice = { current: () => 1 };

interface Parts {
  readonly logger: Logger;
  readonly now: () => number;
  readonly connection: Pick<Connection, 'getAccountInfo'>;
  readonly peers?: Peers;
  readonly timeoutMs?: number;
}

/** Prices in USD. Requests never wait for a fetch: an older price is used until the new one arrives. */
export function inUsd(
  source: PriceSource,
  { logger, now, connection, peers, timeoutMs = TIMEOUT_MS }: Parts,
): UsdPrice {
  if ('usd' in source) return { current: () => source.usd, read: () => ({ usd: source.usd, at: now() }) };
  let price: Reading | undefined;
  let triedAt = -Infinity;

  const readSource = async (): Promise<number | PythPrice> => {
    if ('url' in source) return readDocument(source, timeoutMs);
    const account = await askNode(connection.getAccountInfo(source.account), timeoutMs);
    if (account === null) throw new Error(`there is no account ${source.account.toBase58()}`);
    return readPriceAccount(account);
  };

  async function refresh(): Promise<void> {
    try {
      const found = await readSource();
      price = plausible(
        typeof found === 'number'
          ? { usd: found, at: now() }
          : { usd: usdOf(found), at: found.publishTime * 1_000 },
        now(),
      );
      peers?.answered('price');
    } catch (error) {
      peers?.failed('price');
      logger.warn(
        { err: error },
        "reading SOL's price in USD failed; the last one is used for a while. Check SOL_PRICE_URL, SOL_PRICE_POINTER and SOL_PRICE_TOKEN",
      );
    }
  }

  function read() {
    if (now() - triedAt >= FRESH_MS) {
      triedAt = now();
      void refresh();
    }
    return price !== undefined && now() - price.at < USABLE_MS ? price : undefined;
  }

  return { read, current: () => read()?.usd };
}

function plausible(reading: Reading, now: number): Reading {
  const { usd, at } = reading;
  if (!(usd > 0 && usd <= HIGHEST_USD))
    throw new Error(`the price is ${usd}, which is not above 0, up to ${HIGHEST_USD}`);
  const ageMs = now - at;
  if (ageMs >= USABLE_MS || ageMs < -AHEAD_MS)
    throw new Error(
      `the price is ${ageMs / 1_000} seconds old, which is not from -${AHEAD_MS / 1_000} to ${USABLE_MS / 1_000}`,
    );
  return reading;
}

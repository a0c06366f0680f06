// SOL's price in USD, from the configured document.
import { callWithin } from '../../base/call-within.js';
import type { Config } from '../../config/config.js';
import type { Peers } from '../../base/peers.js';
import type { Logger } from '../../base/logging/logging.js';

/** A price older than this is read again. */
export const FRESH_MS = 60_000;
/** A price older than this is not used. */
export const USABLE_MS = 600_000;
const TIMEOUT_MS = 3_000;
const LARGEST_DOCUMENT = 262_144;
/** A higher price is an error of the source. */
const HIGHEST_USD = 1_000_000_000;

export interface SolPrice {
  /** Price of one SOL in the display currency: 1 when that is SOL, undefined when unknown. */
  current(): number | undefined;
}

/** Prices in USD. */
export interface UsdPrice extends SolPrice {
  /** The price and its time, in Unix milliseconds; undefined when unknown. */
  read(): { readonly usd: number; readonly at: number } | undefined;
}

/** Prices in SOL. */
export const IN_SOL: SolPrice = { current: () => 1 };

/** Prices in USD. Requests never wait for a fetch: an older price is used until the new one arrives. */
export function inUsd(
  source: NonNullable<Config['solPrice']>,
  {
    logger,
    now,
    peers,
    timeoutMs = TIMEOUT_MS,
  }: {
    readonly logger: Logger;
    readonly now: () => number;
    readonly peers?: Peers;
    readonly timeoutMs?: number;
  },
): UsdPrice {
  let price: { readonly usd: number; readonly at: number } | undefined;
  let triedAt = -Infinity;

  async function refresh(): Promise<void> {
    try {
      const text = await callWithin(
        { what: new URL(source.url).host, limitMs: timeoutMs },
        async (signal) => {
          const headers = { accept: 'application/json' };
          const response = await fetch(source.url, { signal, redirect: 'error', headers });
          if (!response.ok) throw new Error(`the price source answers HTTP ${response.status}`);
          return readLimited(response);
        },
      );
      price = { usd: at(JSON.parse(text), source.pointer), at: now() };
      peers?.answered('price');
    } catch (error) {
      peers?.failed('price');
      logger.warn(
        { err: error },
        "reading SOL's price in USD failed; the last one is used for a while. Check SOL_PRICE_URL and SOL_PRICE_POINTER",
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

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body === null) throw new Error('the price source answers nothing');
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > LARGEST_DOCUMENT)
      throw new Error(`the price document has more than ${LARGEST_DOCUMENT} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function at(document: unknown, pointer: string): number {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined;
  }
  if (typeof value !== 'number' || !(value > 0 && value <= HIGHEST_USD)) {
    throw new Error(`the price document has no number above 0, up to ${HIGHEST_USD}, at ${pointer}`);
  }
  return value;
}

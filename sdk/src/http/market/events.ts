// Events of the market's stream.
import type { IndexProgress } from './stream-options.js';
import type { TokenDetail, TokenSummary, Trade } from '../../generated/api/market.js';

/**
 * The fields of a token's summary that trades change. With `aheadSlot`, reserves, market cap and progress are those of that slot: trades
 * up to it come later, and their reserves are older.
 */
export type TokenUpdate = Pick<
  TokenSummary,
  | 'mint'
  | 'status'
  | 'venue'
  | 'virtualSol'
  | 'virtualToken'
  | 'marketCap'
  | 'progressBps'
  | 'volume24h'
  | 'change24hBps'
  | 'trades'
  | 'lastTradeAt'
> & { readonly aheadSlot?: number };

interface EventData {
  /** A token was created. */
  readonly token: TokenSummary;
  readonly trade: Trade;
  readonly update: TokenUpdate;
  /** The curve has sold out. */
  readonly graduated: { readonly mint: string; readonly signature: string };
  /** The token was migrated from its curve. `pool` is null when the chain does not show the pool. */
  readonly migrated: { readonly mint: string; readonly signature: string; readonly pool: string | null };
  /** The picture and the texts of a token are available. */
  readonly metadata: Pick<TokenDetail, 'mint' | 'image' | 'description' | 'links'>;
  /** A reorg dropped the trades of a token from this id on. Read the token again. */
  readonly dropped: { readonly mint: string; readonly fromId: string };
  /** The client missed too many events. Read everything again. */
  readonly reset: Readonly<Record<string, never>>;
}

/** The types of events. */
export type MarketEventType = keyof EventData;

/** An event. Pass `id` as `lastEventId` to resume after it. */
export type MarketEvent = {
  [Type in MarketEventType]: { readonly type: Type; readonly id: string; readonly data: EventData[Type] };
}[MarketEventType];

export const EVENT_TYPES: readonly MarketEventType[] = [
  'token',
  'trade',
  'update',
  'graduated',
  'migrated',
  'metadata',
  'dropped',
  'reset',
];

export const POSITION = 'position';

/** @returns undefined from a service of an earlier version */
export function readProgress(text: string): IndexProgress | undefined {
  const { slot, ageMs } = JSON.parse(text) as Partial<IndexProgress>;
  return slot === undefined || ageMs === undefined ? undefined : { slot, ageMs };
}

/** @returns undefined for an event type of a later version */
export function readEvent(type: string, id: string, text: string): MarketEvent | undefined {
  if (!(EVENT_TYPES as readonly string[]).includes(type)) return undefined;
  return { type, id, data: JSON.parse(text) as unknown } as MarketEvent;
}

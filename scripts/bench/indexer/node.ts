// The process of a stand-in RPC node with a long history. It receives the samples and the size, builds the chain,
// answers with its totals, and then serves it over HTTP and as a gRPC feed, slot by slot after the message
// `growFrom`.
import type { ServerResponse } from 'node:http';
import { serveNode } from '#tests/node/serve.js';
import { startFeed, type FeedServer } from './feed-server.js';
import {
  IndexerChain,
  SLOT_MS,
  type ChainSize,
  type ChainTotals,
  type Price,
  type Samples,
} from './chain.js';

export interface NodeOrder {
  readonly samples: Samples;
  readonly size: ChainSize;
}

/** Amounts are strings, because messages between processes are JSON. */
export interface NodeAnswer {
  readonly url: string;
  /** Of the gRPC feed. */
  readonly feedUrl: string;
  readonly totals: Readonly<Record<keyof ChainTotals, string>>;
}

/**
 * `growFrom` makes the chain grow, from a time of `Date.now()`. A number asks how long the record with that index has been confirmed;
 * prices, how long the newest of the trades has been that made one of them, −1 when that is long ago.
 */
export type NodeQuestion = { readonly growFrom: number } | number | readonly Price[];

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

process.once('message', ({ samples, size }: NodeOrder) => {
  const chain = new IndexerChain(samples, size);
  void Promise.all([
    serveNode((body, response) => answer(chain, body, response)),
    startFeed(size.perSlot),
  ]).then(([{ url }, feed]) => {
    sendSlots(chain, feed);
    const totals = Object.fromEntries(
      Object.entries(chain.totals).map(([name, value]) => [name, String(value)]),
    ) as NodeAnswer['totals'];
    process.send?.({ url, feedUrl: feed.url, totals } satisfies NodeAnswer);
  });
  process.on('message', (question: NodeQuestion) => {
    process.send?.(answerTo(chain, question));
  });
});
process.on('disconnect', () => process.exit(0));

function answerTo(chain: IndexerChain, question: NodeQuestion): number {
  if (typeof question === 'number') return chain.waitOf(question);
  if ('growFrom' in question) {
    chain.start(question.growFrom);
    return 0;
  }
  return chain.ageOf(question) ?? -1;
}

/** Sends each slot when it is confirmed. */
function sendSlots(chain: IndexerChain, feed: FeedServer): void {
  let sentTo = chain.firstBlock - 1;
  setInterval(() => {
    for (const newest = chain.slot('confirmed'); sentTo < newest;) {
      sentTo += 1;
      const slot = sentTo;
      if (feed.isFollowed) feed.send(slot, (buffer) => chain.writeFeed(slot, buffer));
    }
  }, SLOT_MS / 8);
}

function answer(chain: IndexerChain, text: string, response: ServerResponse): void {
  const body = JSON.parse(text) as Call | Call[];
  const one = (call: Call) =>
    `{"jsonrpc":"2.0","result":${resultOf(chain, call)},"id":${JSON.stringify(call.id)}}`;
  response.setHeader('content-type', 'application/json');
  response.end(Array.isArray(body) ? `[${body.map(one).join(',')}]` : one(body));
}

/** The result as JSON text. */
function resultOf(chain: IndexerChain, { method, params }: Call): string {
  switch (method) {
    case 'getSlot':
      return String(chain.slot((params[0] as { commitment: 'confirmed' | 'finalized' }).commitment));
    case 'getSignaturesForAddress':
      return JSON.stringify(chain.list(params[1] as Parameters<typeof chain.list>[0]));
    case 'getTransaction':
      return chain.transaction(params[0] as string);
    case 'getSignatureStatuses': {
      const slots = (params[0] as string[]).map((signature) => chain.slotOf(signature));
      return JSON.stringify({ value: slots.map((slot) => (slot === undefined ? null : { slot })) });
    }
    case 'getVersion':
      return JSON.stringify({ 'solana-core': '4.0.0' });
    case 'getFirstAvailableBlock':
      return String(chain.firstBlock);
    case 'getBlocks':
      return JSON.stringify(chain.blocks(params[0] as number, params[1] as number));
    case 'getBlock':
      return chain.block(
        params[0] as number,
        (params[1] as { transactionDetails: string }).transactionDetails === 'full',
      );
    case 'getAccountInfo':
      return JSON.stringify({ value: null });
    default:
      throw new Error(`this node does not know ${method}`);
  }
}

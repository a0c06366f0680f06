// Requests to every route of the OpenAPI document, such that each of its queries is sent.
import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import sharp from 'sharp';
import { encodeTradeCursor } from '#app/market/reads/cursor.js';
import { INTERVALS } from '#app/market/reads/candles.js';
import { STATUSES } from '#app/market/reads/token-rows.js';
import { SORTS } from '#app/market/reads/tokens.js';
import type { OpenApiDocument } from '#app/http/openapi.js';
import { encodeCursor } from '#app/claims/rewards/rewards-repository.js';
import { signatureBy } from '#app/keys/ed25519.js';
import type { GrownRows } from '#tests/database/grown-tables.js';
import { keypairWallet } from '@curvekit/sdk';
import { newAddress } from '#tests/new-address.js';
import { chooseFeeShare } from '#sdk/http/market/fee-share.js';
import { uploadPicture } from '#sdk/http/market/upload.js';

export interface Scene {
  readonly url: string;
  readonly document: OpenApiDocument;
  readonly rows: GrownRows;
  /** A token that is on the chain too. */
  readonly mint: string;
  /** A wallet with a reward of that token. */
  readonly wallet: Keypair;
  readonly apiKey: string;
}

interface Ask {
  /** Values of the path's parameters. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends a request of the operation, and the one for the next page. @returns the answer's body */
type Send = (operationId: string, ask?: Ask) => Promise<Record<string, unknown>>;
type Requests = (scene: Scene, send: Send) => Promise<unknown>;

/** Of the trades in grown tables, whose slots are their ids. */
const MANY_EVENTS = { fromBlock: '21000', toBlock: '25000' };

/** By operation. An operation that is missing here fails the run. */
const REQUESTS: Readonly<Record<string, Requests>> = {
  callNode: (_, send) => send('callNode', { body: { jsonrpc: '2.0', id: 1, method: 'getBlockHeight' } }),
  requestSol: ({ wallet }, send) => send('requestSol', { body: { address: wallet.publicKey.toBase58() } }),
  uploadPicture: (scene) => upload(scene),
  getImage: async (scene) => get(scene, (await upload(scene)).image),
  getMetadata: async (scene) => get(scene, (await upload(scene)).uri),

  listActions: (_, send) => send('listActions'),
  getTokenAction: ({ mint }, send) => send('getTokenAction', { path: { mint } }),
  makeTokenAction: ({ mint, wallet }, send) =>
    send('makeTokenAction', {
      ...{ path: { mint }, query: { amount: '0.01' } },
      body: { account: wallet.publicKey.toBase58() },
    }),
  getSharePicture: ({ rows }, send) => send('getSharePicture', { path: { mint: rows.mints[0]! } }),
  getReceiptPicture: async (scene, send) =>
    send('getReceiptPicture', { path: { signature: await tradeOf(scene, send) } }),
  getLaunchpad: (_, send) => send('getLaunchpad'),

  getSettlements: ({ rows }, send) =>
    eachOf(rows.mints.slice(0, 2), (mint) =>
      eachOf([{}, { before: '1000' }], (query) => send('getSettlements', { path: { mint }, query })),
    ),
  getRewards: ({ wallet, mint }, send) =>
    eachOf([{}, { limit: '1', cursor: encodeCursor(mint) }], (query) =>
      send('getRewards', { path: { address: wallet.publicKey.toBase58() }, query, headers: signed(wallet) }),
    ),
  getTokenRewards: ({ wallet, mint }, send) =>
    send('getTokenRewards', {
      path: { address: wallet.publicKey.toBase58(), tokenAddress: mint },
      headers: signed(wallet),
    }),
  initiateClaim: ({ wallet, mint }, send) => claim(wallet, mint, send),
  getClaimStatus: async ({ wallet, mint }, send) =>
    send('getClaimStatus', { path: { signature: await claim(wallet, mint, send) } }),

  getPartnerApiVersion: ({ apiKey }, send) => send('getPartnerApiVersion', keyed(apiKey)),
  getPartnerStats: ({ apiKey }, send) => send('getPartnerStats', keyed(apiKey)),
  listUsers: ({ apiKey }, send) => send('listUsers', { ...keyed(apiKey), query: { limit: '10' } }),
  getRegistrationMessage: ({ apiKey }, send) => send('getRegistrationMessage', keyed(apiKey)),
  registerUser: ({ apiKey }, send) => register(apiKey, send),
  getUser: async ({ apiKey }, send) =>
    send('getUser', { ...keyed(apiKey), path: { publicKey: await register(apiKey, send) } }),

  listWebhooks: ({ apiKey }, send) => send('listWebhooks', keyed(apiKey)),
  addWebhook: ({ apiKey }, send) => webhook(apiKey, send),
  rotateWebhookSecret: async ({ apiKey }, send) =>
    send('rotateWebhookSecret', { ...keyed(apiKey), path: await webhook(apiKey, send), body: {} }),
  replayWebhook: async ({ apiKey }, send) =>
    send('replayWebhook', {
      ...{ ...keyed(apiKey), path: await webhook(apiKey, send) },
      body: { from: '2026-01-01T00:00:00Z' },
    }),
  testWebhook: async ({ apiKey }, send) =>
    send('testWebhook', { ...keyed(apiKey), path: await webhook(apiKey, send) }),
  removeWebhook: async ({ apiKey }, send) =>
    send('removeWebhook', { ...keyed(apiKey), path: await webhook(apiKey, send) }),

  getMarketConfig: (_, send) => send('getMarketConfig'),
  listTokens: async ({ rows }, send) => {
    const [creator, mint] = [rows.wallets[1]!, rows.mints[0]!];
    const found = [{ creator }, { q: 'token 12' }, { q: 't17' }, { q: mint.slice(0, 5) }, { q: creator }];
    const page = { limit: '10' };
    for (const sort of SORTS) {
      await send('listTokens', { query: { ...page, sort } });
      for (const status of STATUSES) await send('listTokens', { query: { ...page, sort, status } });
    }
    for (const sort of ['new', 'marketCap'])
      for (const by of found) await send('listTokens', { query: { ...page, sort, ...by } });
    await send('listTokens', { query: { mints: rows.mints.slice(0, 50).join(',') } });
    for (const by of [{ minVolume24h: '1' }, { maxAge: '3600' }, { creatorSold: 'none', q: 'oken 1' }])
      for (const sort of SORTS) await send('listTokens', { query: { ...page, sort, ...by } });
    // All tokens have such a name.
    return send('listTokens', { query: { ...page, q: 't' } });
  },
  listPrices: ({ rows }, send) => send('listPrices', { query: { mints: rows.mints.slice(0, 50).join(',') } }),
  countSameNames: (_, send) => send('countSameNames', { query: { name: 'token 12', symbol: 't17' } }),
  getToken: ({ rows, mint }, send) =>
    ofTokens('getToken', [rows.popular[0]!, rows.mints.at(-1)!, mint], send),
  listTokenTrades: ({ rows }, send) =>
    eachOf(
      [
        {},
        { side: 'buy' },
        { limit: '1', side: 'sell' },
        { side: 'sell', order: 'oldest' },
        { trader: rows.wallets[1]! },
      ],
      (query) => ofTokens('listTokenTrades', [rows.popular[0]!, rows.mints.at(-1)!], send, query),
    ),
  getReceipt: async (scene, send) => send('getReceipt', { path: { signature: await tradeOf(scene, send) } }),
  chooseFeeShare: async ({ url, wallet }, send) => {
    const asked = { jsonrpc: '2.0', id: 1, method: 'getLatestBlockhash' };
    const { result } = await send('callNode', { body: asked });
    const { slot } = (result as { context: { slot: number } }).context;
    const wallets = [1, 2].map((part) => ({ wallet: newAddress(), bps: part === 1 ? 4_000 : 6_000 }));
    const terms = { mint: newAddress(), slot, share: { kind: 'split', wallets } } as const;
    return chooseFeeShare(keypairWallet(wallet), terms, { baseUrl: url });
  },
  listCandles: ({ rows }, send) =>
    eachOf(INTERVALS, (interval) =>
      eachOf([{}, { to: '1795300000' }], (to) =>
        ofTokens('listCandles', [rows.popular[0]!, rows.mints.at(-1)!], send, {
          interval: String(interval),
          ...to,
        }),
      ),
    ),
  listHolders: ({ mint }, send) => send('listHolders', { path: { mint } }),
  getWallet: ({ rows }, send) =>
    eachOf([rows.wallets[1]!, rows.wallets.at(-1)!], (address) => send('getWallet', { path: { address } })),
  listWalletTrades: ({ rows }, send) =>
    eachOf(
      [{}, { order: 'oldest' }, { cursor: encodeTradeCursor({ order: 'newest', id: '9000' }) }],
      (query) => send('listWalletTrades', { path: { address: rows.wallets[1]! }, query }),
    ),
  getDexScreenerBlock: (_, send) => send('getDexScreenerBlock'),
  getDexScreenerAsset: ({ mint }, send) => send('getDexScreenerAsset', { query: { id: mint } }),
  getDexScreenerPair: ({ rows }, send) => send('getDexScreenerPair', { query: { id: rows.mints[0]! } }),
  listDexScreenerEvents: (_, send) => send('listDexScreenerEvents', { query: MANY_EVENTS }),
  getDexToolsBlock: (_, send) => send('getDexToolsBlock'),
  findDexToolsBlock: (_, send) => send('findDexToolsBlock', { query: { timestamp: '1795300000' } }),
  getDexToolsAsset: ({ mint }, send) => send('getDexToolsAsset', { query: { id: mint } }),
  listDexToolsHolders: ({ mint }, send) => send('listDexToolsHolders', { query: { id: mint } }),
  getDexToolsExchange: async (_, send) => {
    const { deployment } = await send('getLaunchpad');
    return send('getDexToolsExchange', { query: { id: (deployment as { programId: string }).programId } });
  },
  getDexToolsPair: ({ rows }, send) => send('getDexToolsPair', { query: { id: rows.mints[0]! } }),
  listDexToolsEvents: (_, send) => send('listDexToolsEvents', { query: MANY_EVENTS }),
  getDayTotals: (_, send) => send('getDayTotals', { query: { day: '2026-11-18' } }),
  streamMarket: ({ url, rows }) =>
    eachOf([0, 1, 2], async (step) => {
      const topics = ['board', `token:${rows.popular[0]}`, `wallet:${rows.wallets[1]}`].slice(step);
      const query = new URLSearchParams(topics.map((topic) => ['topic', topic]));
      const events = await fetch(`${url}/v1/market/stream?${query}`, { headers: { 'last-event-id': '1' } });
      await events.body!.getReader().read();
      await events.body!.cancel().catch(() => undefined);
    }),
};

/** @returns the signature of a real trade */
async function tradeOf({ mint }: Scene, send: Send): Promise<string> {
  const { items } = await send('listTokenTrades', { path: { mint } });
  return (items as readonly { readonly signature: string }[])[0]!.signature;
}

/** Registers a new user. @returns its address */
async function register(apiKey: string, send: Send): Promise<string> {
  const user = Keypair.generate();
  const { message, nonce } = await send('getRegistrationMessage', keyed(apiKey));
  const signature = bs58.encode(signatureBy(user, Buffer.from(message as string)));
  const publicKey = user.publicKey.toBase58();
  await send('registerUser', { ...keyed(apiKey), body: { publicKey, signature, nonce } });
  return publicKey;
}

/** Adds a webhook that takes nothing. @returns the values of its paths */
async function webhook(apiKey: string, send: Send): Promise<Readonly<Record<string, string>>> {
  const { id } = await send('addWebhook', { ...keyed(apiKey), body: { url: 'http://127.0.0.1:9' } });
  return { id: id as string };
}

/** Sends the requests of every operation of the document. @throws when one is missing, or refused */
export async function requestAll(scene: Scene, during: (operationId: string) => void): Promise<void> {
  const operations = new Map(
    Object.entries(scene.document.paths ?? {}).flatMap(([path, item]) =>
      (['get', 'post'] as const).flatMap((method) => {
        const id = item[method]?.operationId;
        return id === undefined ? [] : [[id, { method, path }] as const];
      }),
    ),
  );
  const send: Send = async (operationId, { path = {}, query = {}, headers, body } = {}) => {
    const { method, path: template } = operations.get(operationId)!;
    const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name]!);
    const response = await fetch(`${scene.url}${filled}?${new URLSearchParams(query)}`, {
      method: method.toUpperCase(),
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${operationId}: ${response.status} ${text.slice(0, 500)}`);
    if (response.headers.get('content-type')?.startsWith('application/json') !== true) return {};
    const answer = JSON.parse(text) as Record<string, unknown>;
    const next = answer['next'] ?? answer['nextCursor'];
    if (typeof next === 'string' && !('cursor' in query))
      await send(operationId, { path, query: { ...query, cursor: next }, ...(headers && { headers }) });
    return answer;
  };
  for (const operationId of operations.keys()) {
    const requests = REQUESTS[operationId];
    if (requests === undefined)
      throw new Error(`add requests of ${operationId} to tests/service/db/plans/requests.ts`);
    during(operationId);
    await requests(scene, send);
  }
}

async function upload({ url, wallet }: Scene) {
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const image = new Blob([new Uint8Array(picture)]);
  return uploadPicture(keypairWallet(wallet), { name: 'Picture', symbol: 'PIC', image }, { baseUrl: url });
}

async function get({ url }: Scene, file: string): Promise<void> {
  const { status } = await fetch(url + new URL(file, url).pathname);
  if (status !== 200) throw new Error(`${file}: ${status}`);
}

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  for (const item of items) await work(item);
}

function ofTokens(operationId: string, mints: readonly string[], send: Send, query = {}): Promise<void> {
  return eachOf(mints, (mint) => send(operationId, { path: { mint }, query }));
}

const keyed = (apiKey: string): Ask => ({ headers: { 'x-api-key': apiKey } });

let lastTimestamp = 0;

function signed(wallet: Keypair): Record<string, string> {
  // A signature works once.
  lastTimestamp = Math.max(Date.now(), lastTimestamp + 1);
  const text = String(lastTimestamp);
  return { 'X-Timestamp': text, 'X-Signature': bs58.encode(signatureBy(wallet, Buffer.from(text))) };
}

/** Asks for a claim; the answer to the same request comes from the idempotency key. @returns its signature */
async function claim(wallet: Keypair, mint: string, send: Send): Promise<string> {
  const address = wallet.publicKey.toBase58();
  const key = createHash('sha256').update(address).digest('hex').slice(0, 32);
  const { data } = await send('initiateClaim', {
    path: { address },
    headers: { ...signed(wallet), 'Idempotency-Key': key },
    body: { tokenAddress: mint, claimType: 'SOL' },
  });
  const { tx } = data as { readonly tx: string };
  return bs58.encode(Buffer.from(tx, 'base64').subarray(1, 65));
}

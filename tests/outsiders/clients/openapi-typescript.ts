// Called with the types that openapi-typescript makes, and openapi-fetch. Prints what it has read.
import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript.gen.js';

const [url = '', mint = '', wallet = '', timestamp = '', signature = '', key = ''] = process.argv.slice(2);
const headers = { 'X-Timestamp': timestamp, 'X-Signature': signature, 'x-api-key': key };
const { GET } = createClient<paths>({ baseUrl: url, headers });
const params = { path: { mint } };
const page = await GET('/v1/market/tokens', { params: { query: { limit: 3 } } });
const trades = await GET('/v1/market/tokens/{mint}/trades', { params });
const trade = trades.data!.items[0]!;
const token = await GET('/v1/market/tokens/{mint}', { params });
const candles = await GET('/v1/market/tokens/{mint}/candles', { params });
const [, opened] = candles.data!.candles[0]!;
const stats = await GET('/v1/internal/stats');
const rewards = await GET('/rewards/{address}', { params: { path: { address: wallet } } });
const missing = await GET('/v1/market/tokens/{mint}', { params: { path: { mint: wallet } } });
console.log(
  JSON.stringify({
    mints: page.data!.items.map((each) => each.mint),
    symbol: token.data!.symbol,
    signature: trade.signature,
    slot: trade.slot satisfies number,
    solAmount: trade.solAmount satisfies string,
    opened,
    volumeSol: stats.data!.volumeSol satisfies number,
    sol: rewards.data!.data[0]!.allTimeRewards.sol,
    missing: missing.response.status,
  }),
);

// Called with the client that openapi-generator makes for TypeScript. Prints what it has read.
import {
  Configuration,
  MarketApi,
  PartnerAPIApi,
  ResponseError,
  RewardsApi,
} from './typescript-fetch/index.js';

const [url = '', mint = '', wallet = '', timestamp = '', signature = '', key = ''] = process.argv.slice(2);
const keys: Readonly<Record<string, string>> = {
  'X-Timestamp': timestamp,
  'X-Signature': signature,
  'x-api-key': key,
};
const configuration = new Configuration({ basePath: url, apiKey: (name) => keys[name] ?? '' });
const market = new MarketApi(configuration);
const { items } = await market.listTokens({ limit: 3 });
const trade = (await market.listTokenTrades({ mint })).items[0]!;
const missing = await market
  .getToken({ mint: wallet })
  .catch((error: ResponseError) => error.response.status);
console.log(
  JSON.stringify({
    mints: items.map((token) => token.mint),
    symbol: (await market.getToken({ mint })).symbol,
    signature: trade.signature,
    slot: trade.slot,
    solAmount: trade.solAmount,
    opened: (await market.listCandles({ mint, interval: 60 })).candles[0]![1] as unknown,
    volumeSol: (await new PartnerAPIApi(configuration).getPartnerStats()).volumeSol,
    sol: (await new RewardsApi(configuration).getRewards({ address: wallet })).data[0]!.allTimeRewards.sol,
    missing,
  }),
);

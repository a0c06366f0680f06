// The wallet's graduated tokens whose holders are being counted, with the time at which their shares are known.
import { displayText } from '../format.js';
import { market, request } from '../market/api.js';
import { useLoad } from '../market/use-load.js';
import { Ago } from '../parts/ago.js';
import { Filled } from '../parts/filled.js';
import { rewardsWords } from '../words/rewards.js';

/** Each costs two requests. */
const MOST = 10;

interface Settlements {
  readonly data: readonly {
    readonly state: string;
    /** Null when the holders have no part. */
    readonly seedHash: string | null;
    readonly startedAt: string;
    readonly periodMs: number;
  }[];
}

/** Undefined for a token whose holders are not being counted. */
async function countOf(mint: string) {
  const [settled, { migration }] = await Promise.all([
    request(`/settlements/${mint}?limit=1`).then((answer) => answer.json() as Promise<Settlements>),
    market.token(mint),
  ]);
  const newest = settled.data[0];
  if (newest?.state !== 'sampling' || newest.seedHash === null || migration === null) return undefined;
  return { graduatedAt: migration.timestamp, countedAt: Date.parse(newest.startedAt) + newest.periodMs };
}

export function Counted({ wallet }: { readonly wallet: string }) {
  // Nothing is shown when it cannot be read: the rewards themselves are not touched.
  const { data } = useLoad(wallet, async (options) => {
    const { tokens } = await market.wallet(wallet, options);
    const graduated = tokens.filter(({ venue, amount }) => venue === 'pool' && amount !== '0').slice(0, MOST);
    return Promise.all(graduated.map(async (token) => ({ ...token, count: await countOf(token.mint) })));
  });
  return (data ?? []).map(
    ({ mint, symbol, count }) =>
      count && (
        <p key={mint} className="muted" data-testid="counted">
          <Filled
            text={rewardsWords.counted}
            of={{
              token: <bdi>{displayText(symbol)}</bdi>,
              ago: <Ago at={count.graduatedAt} />,
              time: timeOf(new Date(count.countedAt)),
            }}
          />
        </p>
      ),
  );
}

/** In local time. */
const timeOf = (at: Date) =>
  [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');

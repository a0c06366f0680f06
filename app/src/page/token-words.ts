// What is said about a token where a link to it is shared.
import { CurveStatus, graduationProgress, marketCap } from '@curvekit/sdk';
import { LAMPORTS_PER_SOL } from '@solana/web3.js';
import { eq } from 'drizzle-orm';
import type { Database } from '../db/database.js';
import { curveStates, hiddenTokens, tokens } from '../db/schema/index.js';
import { plainWords } from './head.js';

export interface TokenWords {
  readonly title: string;
  readonly description: string;
}

/** How long the words about a token are kept: links are fetched without a limit, the database is not asked for each. */
const KEPT_MS = 2_000;
const MOST_KEPT = 1_000;

const HIDDEN: TokenWords = {
  title: 'Hidden token',
  description: 'The operator of this site does not show what its creator chose. It trades as before.',
};

interface Kept {
  readonly until: number;
  readonly words: Promise<TokenWords | undefined>;
}

/** Finds the words about a token; undefined when there is none. */
export function tokenWords({ queries }: Database): (mint: string) => Promise<TokenWords | undefined> {
  const kept = new Map<string, Kept>();
  return (mint) => {
    const now = performance.now();
    const found = kept.get(mint);
    if (found !== undefined && found.until > now) return found.words;
    const words = read(queries, mint);
    kept.delete(mint);
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= MOST_KEPT) kept.delete(oldest);
    kept.set(mint, { until: now + KEPT_MS, words });
    words.catch(() => kept.delete(mint));
    return words;
  };
}

async function read(queries: Database['queries'], mint: string): Promise<TokenWords | undefined> {
  const [token] = await queries
    .select({
      name: tokens.name,
      symbol: tokens.symbol,
      initialVirtualToken: tokens.initialVirtualToken,
      hidden: hiddenTokens.mint,
      status: curveStates.status,
      virtualSol: curveStates.virtualSol,
      virtualToken: curveStates.virtualToken,
    })
    .from(tokens)
    .innerJoin(curveStates, eq(curveStates.mint, tokens.mint))
    .leftJoin(hiddenTokens, eq(hiddenTokens.mint, tokens.mint))
    .where(eq(tokens.mint, mint));
  if (token === undefined) return undefined;
  if (token.hidden !== null) return HIDDEN;
  const { status, virtualSol, virtualToken, initialVirtualToken } = token;
  const title = `${plainWords(token.name)} (${plainWords(token.symbol)})`;
  if (status !== CurveStatus.Trading) return { title, description: 'Graduated: it trades in its pool.' };
  const { progressBps } = graduationProgress(virtualToken, initialVirtualToken);
  const cap = Number(marketCap({ virtualSol, virtualToken })) / LAMPORTS_PER_SOL;
  const percent = progressBps / 100;
  return {
    title,
    description: `Market cap ${cap.toFixed(2)} SOL, ${percent.toFixed(1)} % of the way to its pool.`,
  };
}

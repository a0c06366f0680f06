// Notes about watched tokens while a page of the site is open: half of the curve sold, graduation, a fifth up or down.
import { useEffect, useRef } from 'react';
import { change, displayText } from '../format.js';
import { market } from '../market/api.js';
import { useStream } from '../market/stream.js';
import type { TokenSummary, TokenUpdate } from '../market/types.js';
import { useWatched } from '../watch.js';
import { movedBps } from './use-prices.js';
import { boardPartWords } from '../words/board-parts.js';

const copy = boardPartWords.told;
const HALF_BPS = 5_000;
const MOVE_BPS = 2_000;
const POLL_MS = 30_000;

type Told = Pick<TokenSummary, 'progressBps' | 'status' | 'marketCap'>;

/** What to say of a token since the last note about it. */
function newsOf(before: Told, now: Told): 'half' | 'graduated' | number | undefined {
  if (before.status === 'trading' && now.status !== 'trading') return 'graduated';
  if (before.progressBps < HALF_BPS && now.progressBps >= HALF_BPS) return 'half';
  const moved = movedBps(before.marketCap, now.marketCap);
  return Math.abs(moved) >= MOVE_BPS ? moved : undefined;
}

export default function Tell() {
  const watched = useWatched();
  const known = useRef(new Map<string, TokenSummary>());
  const take = (mint: string, update: TokenUpdate | TokenSummary) => {
    const before = known.current.get(mint);
    if (before === undefined) return;
    const now = { ...before, ...update };
    const news = newsOf(before, now);
    // The next note is about what changes from here.
    if (news === undefined) return;
    known.current.set(mint, now);
    const name = displayText(now.name);
    say(mint, typeof news === 'number' ? copy.moved(name, change(news)) : copy[news](name));
  };
  const read = async () => {
    if (watched.length === 0) return;
    const { items } = await market.tokens({ mints: watched });
    for (const token of items)
      if (known.current.has(token.mint)) take(token.mint, token);
      else known.current.set(token.mint, token);
  };
  const quietly = () => void read().catch(() => undefined);
  useEffect(() => {
    for (const mint of known.current.keys()) if (!watched.includes(mint)) known.current.delete(mint);
    quietly();
  }, [watched]);
  useStream(['board'], {
    pollMs: POLL_MS,
    onMissed: quietly,
    onEvents: (events) => {
      for (const event of events) if (event.type === 'update') take(event.data.mint, event.data);
    },
  });
  return null;
}

function say(mint: string, text: string): void {
  try {
    // With the same tag, two open pages say it once.
    const note = new Notification(text, { tag: `${mint} ${text}`, icon: '/icon-192.png' });
    note.onclick = () => window.open(`/t/${mint}`);
  } catch {
    // Chrome on Android shows no notes of open pages.
  }
}

import { MOST_WATCHED, toggleWatched, useWatched } from '../watch.js';
import { words } from '../words/words.js';

/** Watches a token, or watches it no more. */
export function Star({ mint, name }: { readonly mint: string; readonly name: string }) {
  const watched = useWatched();
  const isWatched = watched.includes(mint);
  // Another one would push out the oldest.
  const isFull = !isWatched && watched.length >= MOST_WATCHED;
  return (
    <button
      type="button"
      className={isWatched ? 'star gold' : 'star muted'}
      aria-pressed={isWatched}
      disabled={isFull}
      title={isFull ? words.watchesMost(MOST_WATCHED) : undefined}
      aria-label={words.watch(name)}
      onClick={() => toggleWatched(mint)}
    >
      {isWatched ? '★' : '☆'}
    </button>
  );
}

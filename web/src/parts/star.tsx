import { toggleWatched, useWatched } from '../watch.js';
import { words } from '../words/words.js';

/** Watches a token, or watches it no more. */
export function Star({ mint, name }: { readonly mint: string; readonly name: string }) {
  const isWatched = useWatched().includes(mint);
  return (
    <button
      type="button"
      className={isWatched ? 'star gold' : 'star muted'}
      aria-pressed={isWatched}
      aria-label={words.watch(name)}
      onClick={() => toggleWatched(mint)}
    >
      {isWatched ? '★' : '☆'}
    </button>
  );
}

import { age, when } from '../format.js';
import { useNow } from '../now.js';
import { words } from '../words/words.js';

interface AgoProps {
  readonly at: number;
  /** Omits the word "ago". */
  readonly bare?: boolean;
}

export function Ago({ at, bare = false }: AgoProps) {
  const text = age(useNow() - at);
  return (
    <time dateTime={new Date(at * 1_000).toISOString()} title={when(at)}>
      {bare ? text : words.ago(text)}
    </time>
  );
}

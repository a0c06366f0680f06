import { age } from '../format.js';
import { go, useQuery, withParameter } from '../router.js';
import { boardPartWords as copy } from '../words/board-parts.js';
import { boardWords } from '../words/board.js';
import type { FILTERS } from './use-board.js';

type Name = (typeof FILTERS)[number];
const VOLUMES = ['1', '10', '100', '1000'];
const AGES = [3_600, 21_600, 86_400, 604_800];

/** Which tokens are listed. The address keeps it. */
export default function Filters() {
  const query = useQuery();
  const set = (name: Name, value: string) => go(withParameter(name, value), { replace: true });
  const select = (name: Name, any: string, options: readonly (readonly [value: string, text: string])[]) => (
    <select
      aria-label={any}
      value={query.get(name) ?? ''}
      onChange={(event) => set(name, event.currentTarget.value)}
    >
      {[['', any] as const, ...options].map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  const isUnsold = query.get('sold') === 'none';
  return (
    <div className="filters" role="group" aria-label={boardWords.filter}>
      {select(
        'vol',
        copy.anyVolume,
        VOLUMES.map((sol) => [sol, copy.volumeFrom(sol)]),
      )}
      {select(
        'age',
        copy.anyAge,
        AGES.map((seconds) => [String(seconds), copy.youngerThan(age(seconds))]),
      )}
      <button
        type="button"
        className="btn quiet lesser"
        aria-pressed={isUnsold}
        onClick={() => set('sold', isUnsold ? '' : 'none')}
      >
        {copy.unsold}
      </button>
    </div>
  );
}

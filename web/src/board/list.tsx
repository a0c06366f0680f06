import { part } from '../part.js';
import { Failed } from '../parts/notice.js';
import { useWatched } from '../watch.js';
import { boardWords as copy } from '../words/board.js';
import { words } from '../words/words.js';
import { BoardSkeleton } from './skeletons.js';
import { TokenTable } from './table.js';
import type { Board, Tab } from './use-board.js';
import type { Window } from './use-prices.js';

const Empty = part(() => import('./empty.js'));

export interface ListProps {
  readonly board: Board;
  readonly window: Window;
  readonly tab: Tab;
  readonly q: string;
  readonly isFiltered: boolean;
  /** Orders the list by a column. A narrow list has no heads. */
  readonly onTab?: (tab: Tab) => void;
}

/** The tokens of a tab. Without tokens: a notice that says why. */
export function List({ board, window, tab, q, isFiltered, onTab }: ListProps) {
  const { list, more, loadingMore } = board;
  const watched = useWatched();
  const tokens = list.data?.items.filter(({ mint }) => tab !== 'watched' || watched.includes(mint));
  return (
    <>
      {list.problem !== undefined && (
        <Failed title={copy.failed} problem={list.problem} onRetry={list.reload} />
      )}
      {tokens === undefined && list.problem === undefined && <BoardSkeleton />}
      {tokens?.length === 0 && <Empty tab={tab} q={q} isFiltered={isFiltered} />}
      {tokens !== undefined && tokens.length > 0 && <TokenTable {...{ tokens, tab, window, onTab }} />}
      {list.data !== undefined && list.data.next !== null && (
        <div className="more">
          <button type="button" className="btn quiet" disabled={loadingMore} onClick={() => void more()}>
            {words.more}
          </button>
        </div>
      )}
    </>
  );
}

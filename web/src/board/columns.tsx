import type { TokenListOptions } from '@curvekit/sdk/market';
import { boardWords } from '../words/board.js';
import { List, type ListProps } from './list.js';
import { type Tab, useBoard } from './use-board.js';

type ColumnsProps = Omit<ListProps, 'onTab' | 'tab'> & { readonly filters: TokenListOptions };

/** Three lists side by side, on wide screens: a token's way from its launch to its pool. */
export default function Columns({ board, filters, ...shown }: ColumnsProps) {
  const [filling, graduated] = [useBoard('filling', '', filters), useBoard('graduated', '', filters)];
  return (
    <div className="columns">
      {(
        [
          ['new', board],
          ['filling', filling],
          ['graduated', graduated],
        ] as const
      ).map(([tab, each]: readonly [Tab, ListProps['board']]) => (
        <section key={tab} className="card clipped" aria-label={boardWords.tabs[tab]}>
          <h2>{boardWords.tabs[tab]}</h2>
          <List {...shown} tab={tab} board={each} />
        </section>
      ))}
    </div>
  );
}

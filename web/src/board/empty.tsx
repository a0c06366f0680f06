import { Link } from '../parts/link.js';
import { Notice } from '../parts/notice.js';
import { boardPartWords as copy } from '../words/board-parts.js';
import { introWords } from '../words/intro.js';
import type { ListProps } from './list.js';

/** Why a list has no tokens. */
export default function Empty({ tab, q, isFiltered }: Pick<ListProps, 'tab' | 'q' | 'isFiltered'>) {
  if (tab === 'watched') return <Notice title={copy.emptyWatched} text={copy.emptyWatchedHint} />;
  if (isFiltered) return <Notice title={copy.emptyFiltered} text={copy.emptyFilteredHint} />;
  if (q !== '') return <Notice title={copy.noMatch(q)} text={copy.noMatchHint} />;
  if (tab === 'graduated') return <Notice title={copy.emptyGraduated} text={copy.emptyGraduatedHint} />;
  return (
    <Notice title={copy.empty} text={copy.emptyHint}>
      <Link className="btn primary" href="/launch">
        {introWords.launch}
      </Link>
    </Notice>
  );
}

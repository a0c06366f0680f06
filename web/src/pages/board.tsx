import { part } from '../part.js';
import { Link } from '../parts/link.js';
import { Live } from '../parts/live.js';
import { Failed, Notice } from '../parts/notice.js';
import { Tabs } from '../parts/tabs.js';
import { go, useQuery, useTab, withParameter } from '../router.js';
import { Search } from '../shell/search.js';
import { words } from '../words/words.js';
import { boardWords } from '../words/board.js';
import { introWords } from '../words/intro.js';
import { BoardSkeleton } from '../board/skeletons.js';
import { Intro } from '../board/intro.js';
import { Soon } from '../board/soon.js';
import { TokenTable } from '../board/table.js';
import { useWatched } from '../watch.js';
import { TABS, useBoard, type Tab } from '../board/use-board.js';

const Bell = part(() => import('../board/bell.js'));
const PANEL = 'tokens';
/** From this part of the curve on, a token has a card above the list. */
const HALF_BPS = 5_000;
const copy = boardWords;

export default function Board() {
  const q = useQuery().get('q') ?? '';
  const [tab, setTab] = useTab(TABS);
  const { list, soon, liveness, fresh, reload, more, loadingMore } = useBoard(tab, q);
  const watched = useWatched();
  const tokens = list.data?.items.filter(({ mint }) => tab !== 'watched' || watched.includes(mint));
  const closest = (soon.data?.items ?? []).filter(({ progressBps }) => progressBps >= HALF_BPS);
  return (
    <>
      <div className="phone-nav only-phone">
        <Search />
      </div>
      {q === '' ? (
        <>
          <div className="section">
            <h1>{copy.tokens}</h1>
            <Live of={liveness} />
          </div>
          <Intro />
          <Soon tokens={closest} />
        </>
      ) : (
        <div className="section">
          <h1>{copy.searchFor(q)}</h1>
          <button type="button" className="link" onClick={() => go(withParameter('q'))}>
            {copy.clear}
          </button>
        </div>
      )}
      <div className="bar">
        <Tabs
          label={copy.sortedBy}
          panel={PANEL}
          selected={tab}
          onSelect={setTab}
          tabs={TABS.map((key) => ({ key, title: copy.tabs[key] }))}
        />
        {tab === 'watched' && <Bell />}
        <span className="news" role="status">
          {fresh > 0 && (
            <button
              type="button"
              className="link"
              onClick={() => {
                setTab('new');
                reload();
              }}
            >
              {copy.fresh(fresh)}
            </button>
          )}
        </span>
      </div>
      <section className="card clipped" id={PANEL} role="tabpanel" aria-labelledby={`${PANEL}-${tab}`}>
        {list.problem !== undefined && (
          <Failed title={copy.failed} problem={list.problem} onRetry={list.reload} />
        )}
        {tokens === undefined && list.problem === undefined && <BoardSkeleton />}
        {tokens?.length === 0 && <Empty tab={tab} q={q} />}
        {tokens !== undefined && tokens.length > 0 && <TokenTable tokens={tokens} tab={tab} onTab={setTab} />}
        {list.data !== undefined && list.data.next !== null && (
          <div className="more">
            <button type="button" className="btn quiet" disabled={loadingMore} onClick={() => void more()}>
              {words.more}
            </button>
          </div>
        )}
      </section>
    </>
  );
}

function Empty({ tab, q }: { readonly tab: Tab; readonly q: string }) {
  if (q !== '') return <Notice title={copy.noMatch(q)} text={copy.noMatchHint} />;
  if (tab === 'watched') return <Notice title={copy.emptyWatched} text={copy.emptyWatchedHint} />;
  if (tab === 'graduated') return <Notice title={copy.emptyGraduated} text={copy.emptyGraduatedHint} />;
  return (
    <Notice title={copy.empty} text={copy.emptyHint}>
      <Link className="btn primary" href="/launch">
        {introWords.launch}
      </Link>
    </Notice>
  );
}

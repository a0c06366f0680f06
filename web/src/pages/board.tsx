import { useMemo, useState } from 'react';
import { useMedia } from '../media.js';
import { part } from '../part.js';
import { Live } from '../parts/live.js';
import { Tabs } from '../parts/tabs.js';
import { go, useQuery, useTab, withParameter } from '../router.js';
import { Search } from '../shell/search.js';
import { boardWords } from '../words/board.js';
import { Intro } from '../board/intro.js';
import { List } from '../board/list.js';
import { Soon } from '../board/soon.js';
import { WINDOWS } from '../board/use-prices.js';
import { FILTERS, filtersOf, TABS, useBoard, useSoon } from '../board/use-board.js';

const Bell = part(() => import('../board/bell.js'));
const Columns = part(() => import('../board/columns.js'));
const Filters = part(() => import('../board/filters.js'));
const PANEL = 'tokens';
/** From this part of the curve on, a token has a card above the list. */
const HALF_BPS = 5_000;
const copy = boardWords;

export default function Board() {
  const query = useQuery();
  const q = query.get('q') ?? '';
  const [tab, setTab] = useTab(TABS);
  const [window, setWindow] = useTab(WINDOWS, 'window');
  const asked = query.toString();
  const filters = useMemo(() => filtersOf(new URLSearchParams(asked)), [asked]);
  const isFiltered = FILTERS.some((name) => query.has(name));
  const [opened, setOpened] = useState(isFiltered);
  const board = useBoard(tab, q, filters);
  const { fresh, liveness, reload } = board;
  const closest = useSoon().filter(({ progressBps }) => progressBps >= HALF_BPS);
  const hasColumns = useMedia('(min-width: 1680px)') && tab === 'new' && q === '';
  const shown = { board, window, tab, q, isFiltered };
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
          {!hasColumns && <Soon tokens={closest} />}
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
        {tab === 'watched' ? (
          <Bell />
        ) : (
          <button
            type="button"
            className="btn quiet lesser"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            {copy.filter}
          </button>
        )}
        <div className="tabs fine" role="group" aria-label={copy.window}>
          {WINDOWS.toReversed().map((each) => (
            <button key={each} type="button" aria-pressed={each === window} onClick={() => setWindow(each)}>
              {copy.windows[each]}
            </button>
          ))}
        </div>
        {opened && tab !== 'watched' && <Filters />}
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
      <div id={PANEL} role="tabpanel" aria-labelledby={`${PANEL}-${tab}`} onKeyDown={moveInRows}>
        {hasColumns ? (
          <Columns {...shown} filters={filters} />
        ) : (
          <section className="card clipped">
            <List {...shown} onTab={setTab} />
          </section>
        )}
      </div>
    </>
  );
}

/** The arrow keys move from name to name. The search moves to the first. */
function moveInRows(event: { readonly key: string; readonly preventDefault: () => void }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const names = [...document.querySelectorAll<HTMLElement>('[data-mint] .t > a')];
  const at = names.indexOf(document.activeElement as HTMLElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  (names[at + step] ?? document.querySelector<HTMLElement>('.search input:not([hidden])'))?.focus();
}

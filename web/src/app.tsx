import { useCallback, useEffect, useRef, useState } from 'react';
import { Boundary } from './boundary.js';
import { useConfig } from './config.js';
import { componentOf } from './pages.js';
import { NOT_FOUND, type PageName } from './pages/table.js';
import { part } from './part.js';
import { routeOf, usePath, type Route } from './router.js';
import { Footer } from './shell/footer.js';
import { Header } from './shell/header.js';
import { useShortcuts } from './shell/shortcuts.js';
import { useWalletsWanted } from './wallet/store.js';
import { useTelling } from './watch.js';
import { pageTitles } from './words/pages.js';
import { words } from './words/words.js';

const Keys = part(() => import('./shell/keys.js'));
const Tell = part(() => import('./board/tell.js'));
const WalletHost = part(() => import('./wallet/host.js'));

export function App() {
  const path = usePath();
  const route = routeOf(path);
  const Page = componentOf(route);
  const { serviceName } = useConfig();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  const wanted = useWalletsWanted();
  const telling = useTelling();
  const [listsKeys, setListsKeys] = useState(false);
  useShortcuts(useCallback(() => setListsKeys(true), []));
  useEffect(() => {
    const title = titleOf(route);
    if (title !== undefined) document.title = `${title} · ${serviceName}`;
    if (shown.current === path) return;
    shown.current = path;
    // Moves the focus, so that screen readers announce the new page.
    main.current?.focus({ preventScroll: true });
  }, [path, serviceName]);
  return (
    <>
      <a className="skip" href="#main">
        {words.skip}
      </a>
      <div id="skips" />
      <Header page={route.page} />
      <main id="main" className="page" ref={main} tabIndex={-1}>
        <Boundary key={path}>
          <Page address={route.address} />
        </Boundary>
      </main>
      <Footer />
      {listsKeys && <Keys onClose={() => setListsKeys(false)} />}
      {telling && <Tell />}
      {wanted && <WalletHost />}
    </>
  );
}

/** Undefined for a page that sets it itself, perhaps before this. */
function titleOf({ page }: Route): string | undefined {
  return page === NOT_FOUND ? words.notFound : (pageTitles as Partial<Record<PageName, string>>)[page];
}

import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { Boundary } from './boundary.js';
import { useConfig } from './config.js';
import { Board, Launch, NotFound, Rewards, Terms, TokenPage, WalletPage } from './pages.js';
import { part } from './part.js';
import { routeOf, usePath, type Route } from './router.js';
import { Footer } from './shell/footer.js';
import { Header } from './shell/header.js';
import { useShortcuts } from './shell/shortcuts.js';
import { useWalletsWanted } from './wallet/store.js';
import { words } from './words/words.js';

const Keys = part(() => import('./shell/keys.js'));
const WalletHost = part(() => import('./wallet/host.js'));

export function App() {
  const path = usePath();
  const route = routeOf(path);
  const { serviceName } = useConfig();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  const wanted = useWalletsWanted();
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
      <Header page={route.page} />
      <main id="main" className="page" ref={main} tabIndex={-1}>
        <Boundary key={path}>{pageOf(route)}</Boundary>
      </main>
      <Footer />
      {listsKeys && <Keys onClose={() => setListsKeys(false)} />}
      {wanted && <WalletHost />}
    </>
  );
}

function pageOf(route: Route): ReactNode {
  switch (route.page) {
    case 'board':
      return <Board />;
    case 'token':
      return <TokenPage mint={route.address} />;
    case 'wallet':
      return <WalletPage address={route.address} />;
    case 'launch':
      return <Launch />;
    case 'rewards':
      return <Rewards />;
    case 'terms':
      return <Terms />;
    case 'unknown':
      return <NotFound />;
  }
}

/** Undefined for a token's page, which names the token when it is known, also before this. */
function titleOf({ page }: Route): string | undefined {
  switch (page) {
    case 'token':
      return undefined;
    case 'board':
      return words.board;
    case 'wallet':
      return words.wallet.page;
    case 'launch':
      return words.launchTitle;
    case 'rewards':
      return words.rewards;
    case 'terms':
      return words.terms;
    case 'unknown':
      return words.notFound;
  }
}

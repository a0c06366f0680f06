import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { Boundary } from './boundary.js';
import { useConfig } from './config.js';
import { Board, Launch, Rewards, Terms, TokenPage, WalletPage } from './pages.js';
import { NotFound } from './pages/not-found.js';
import { routeOf, usePath, type Route } from './router.js';
import { Footer } from './shell/footer.js';
import { Header } from './shell/header.js';
import { useShortcuts } from './shell/shortcuts.js';
import { useWalletsWanted } from './wallet/store.js';
import { words } from './words/words.js';

const WalletHost = lazy(() => import('./wallet/host.js'));

export function App() {
  const path = usePath();
  const route = routeOf(path);
  const { serviceName } = useConfig();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  const wanted = useWalletsWanted();
  useShortcuts();
  useEffect(() => {
    document.title = `${titleOf(route)} · ${serviceName}`;
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
        <Boundary key={path} what="This page">
          <Suspense fallback={<PageSkeleton />}>{pageOf(route)}</Suspense>
        </Boundary>
      </main>
      <Footer />
      {wanted && (
        <Suspense>
          <WalletHost />
        </Suspense>
      )}
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

function titleOf({ page }: Route): string {
  switch (page) {
    case 'board':
    case 'token':
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
      return words.notFound.title;
  }
}

function PageSkeleton() {
  return (
    <div className="page-skeleton" role="status">
      <span className="sr">{words.loading}</span>
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  );
}

import { lazy, Suspense, useEffect, useId, useState } from 'react';
import { Boundary } from '../boundary.js';
import { useConfig } from '../config.js';
import { stranger } from '../format.js';
import { Link } from '../parts/link.js';
import { Failed, Notice } from '../parts/notice.js';
import { Tabs } from '../parts/tabs.js';
import { Head } from '../token/head.js';
import { TokenSkeleton } from '../token/skeleton.js';
import { Trades } from '../token/trades.js';
import { useToken } from '../token/use-token.js';
import { TradePane } from '../trade/pane.js';
import { words } from '../words/words.js';

const GraduationBanner = lazy(() => import('../token/graduation-banner.js'));
const Holders = lazy(() => import('../token/holders.js'));
const About = lazy(() => import('../token/about.js'));
const Community = lazy(() => import('../token/community.js'));
const ChartCard = lazy(() => import('../token/chart-card.js'));
const TABS = ['trades', 'holders', 'about', 'terms'] as const;
const copy = words.tokenPage;

export default function TokenPage({ mint }: { readonly mint: string }) {
  const { serviceName } = useConfig();
  const { token, trades, feed, version, open, graduatedNow, reload, more } = useToken(mint);
  const [tab, setTab] = useState<(typeof TABS)[number]>('trades');
  const panel = useId();
  const { data } = token;
  const title = data === undefined ? undefined : `${stranger(data.symbol)} · ${stranger(data.name)}`;
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${serviceName}`;
  }, [title, serviceName]);

  if (data === undefined) {
    const { problem } = token;
    if (problem === undefined) return <TokenSkeleton />;
    if (problem.status === 404 || problem.status === 400) return <Unknown />;
    return <Failed title={copy.failed} problem={problem} onRetry={token.reload} />;
  }
  return (
    <>
      <Head token={data} open={open} />
      {data.status !== 'trading' && (
        <Suspense>
          <GraduationBanner token={data} celebrate={graduatedNow} />
        </Suspense>
      )}
      <div className="cols">
        <div className="main-col">
          <Boundary what={copy.chart.title}>
            <Suspense fallback={<div className="card chart-card skeleton" />}>
              <ChartCard token={data} feed={feed} version={version} />
            </Suspense>
          </Boundary>
          <section className="card lower clipped" aria-label={copy.details}>
            <div className="lower-tabs">
              <Tabs
                label={copy.details}
                panel={panel}
                selected={tab}
                onSelect={setTab}
                tabs={TABS.map((key) => ({ key, title: copy.tabs[key] }))}
              />
            </div>
            <div role="tabpanel" id={panel} aria-labelledby={`${panel}-${tab}`}>
              <Suspense fallback={<div className="list-skeleton skeleton" />}>
                {tab === 'trades' && <Trades token={data} trades={trades} onMore={more} />}
                {tab === 'holders' && <Holders token={data} />}
                {tab === 'about' && <About token={data} />}
                {tab === 'terms' && <Community token={data} />}
              </Suspense>
            </div>
          </section>
        </div>
        <Boundary what={words.trade.title}>
          <TradePane token={data} isStale={open === false} onMoved={reload} />
        </Boundary>
      </div>
    </>
  );
}

function Unknown() {
  return (
    <Notice title={copy.unknown} text={copy.unknownHint} level={1}>
      <Link className="btn quiet" href="/">
        {copy.toBoard}
      </Link>
    </Notice>
  );
}

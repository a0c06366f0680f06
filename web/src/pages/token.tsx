import { useEffect, useId } from 'react';
import { Boundary } from '../boundary.js';
import { useConfig } from '../config.js';
import { displayText } from '../format.js';
import { isJustLaunched } from '../launch/just-launched.js';
import { part } from '../part.js';
import { Failed } from '../parts/notice.js';
import { Tabs } from '../parts/tabs.js';
import { useTab } from '../router.js';
import { Head } from '../token/head.js';
import { Trades } from '../token/trades.js';
import { useToken } from '../token/use-token.js';
import { TradePane } from '../trade/pane.js';
import { words } from '../words/words.js';

const GraduationBanner = part(() => import('../token/graduation-banner.js'));
const Launched = part(() => import('../launch/launched.js'));
const list = <div className="list-skeleton skeleton" />;
const Holders = part(() => import('../token/holders.js'), list);
const About = part(() => import('../token/about.js'), list);
const Community = part(() => import('../token/community.js'), list);
const Unknown = part(() => import('../token/unknown.js'));
const ChartCard = part(() => import('../token/chart-card.js'), <div className="card chart-card skeleton" />);
const TABS = ['trades', 'holders', 'about', 'terms'] as const;
const copy = words.tokenPage;

export default function TokenPage({ address: mint }: { readonly address: string }) {
  const { serviceName } = useConfig();
  const { token, trades, feed, liveness, graduatedNow, reload, more, pending, onTraded } = useToken(mint);
  const [tab, setTab] = useTab(TABS);
  const panel = useId();
  const { data } = token;
  const title = data === undefined ? undefined : `${displayText(data.symbol)} · ${displayText(data.name)}`;
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
      <Head token={data} liveness={liveness} />
      {isJustLaunched(mint) && <Launched token={data} />}
      {data.status !== 'trading' && <GraduationBanner token={data} celebrate={graduatedNow} />}
      <div className="cols">
        <div className="main-col">
          <ChartCard token={data} feed={feed} />
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
              {tab === 'trades' && <Trades token={data} trades={trades} feed={feed} onMore={more} />}
              {tab === 'holders' && <Holders token={data} />}
              {tab === 'about' && <About token={data} />}
              {tab === 'terms' && <Community token={data} />}
            </div>
          </section>
        </div>
        <Boundary>
          <TradePane {...{ liveness, pending, onTraded }} token={data} onMoved={reload} />
        </Boundary>
      </div>
    </>
  );
}

function TokenSkeleton() {
  return (
    <div role="status">
      <span className="sr">{words.loading}</span>
      <div className="head">
        <div className="skeleton head-art" />
        <div className="head-names">
          <div className="skeleton head-line" />
        </div>
      </div>
      <div className="cols">
        <div className="card chart-card skeleton" />
        <div className="card trade-card skeleton" />
      </div>
    </div>
  );
}

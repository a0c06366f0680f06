import { useEffect, useState } from 'react';
import { Holdings } from '../account/holdings.js';
import { WalletTrades } from '../account/wallet-trades.js';
import { TokenTable } from '../board/table.js';
import { BoardSkeleton } from '../board/skeletons.js';
import { displayText } from '../format.js';
import { market } from '../market/api.js';
import { useStream } from '../market/stream.js';
import { useLoad } from '../market/use-load.js';
import { CopyAddress } from '../parts/address.js';
import { Sol } from '../parts/amounts.js';
import { Art } from '../parts/art.js';
import { Live } from '../parts/live.js';
import { Failed, Notice } from '../parts/notice.js';
import { Tabs } from '../parts/tabs.js';
import { useTab } from '../router.js';
import { useAccount } from '../wallet/store.js';
import { walletWords } from '../words/wallet-page.js';

const copy = walletWords;
const TABS = ['holdings', 'created', 'trades'] as const;
const PANEL = 'wallet';
/** Poll interval while the stream is closed. */
const POLL_MS = 8_000;

export default function WalletPage({ address }: { readonly address: string }) {
  const { data, problem, reload } = useLoad(address, (options) => market.wallet(address, options));
  const account = useAccount();
  const [tab, setTab] = useTab(TABS);
  // Its rows stay when the user looks at another tab.
  const [seenTrades, setSeenTrades] = useState(false);
  useEffect(() => {
    if (tab === 'trades') setSeenTrades(true);
  }, [tab]);
  const { liveness } = useStream([`wallet:${address}`], {
    pollMs: POLL_MS,
    onMissed: reload,
    onEvents: (events) => {
      if (events.some(({ type }) => type === 'trade' || type === 'token' || type === 'dropped')) reload();
    },
  });
  const symbols = new Map(
    [...(data?.tokens ?? []), ...(data?.created ?? [])].map((each) => [each.mint, displayText(each.symbol)]),
  );
  const worth = data?.tokens.reduce((sum, { value }) => sum + BigInt(value ?? 0), 0n);
  return (
    <>
      <div className="wallet-head">
        <Art seed={address} size={56} />
        <div>
          <h1>{copy.title}</h1>
          <div className="muted">
            <CopyAddress address={address} what={copy.address} /> <Live of={data && liveness} />
          </div>
        </div>
        {worth !== undefined && (
          <dl className="worth">
            <dt>{copy.total}</dt>
            <dd>
              <Sol lamports={worth} />
            </dd>
          </dl>
        )}
      </div>
      <div className="bar">
        <Tabs
          label={copy.title}
          panel={PANEL}
          selected={tab}
          onSelect={setTab}
          tabs={TABS.map((key) => ({ key, title: copy[key] }))}
        />
      </div>
      <section className="card clipped" id={PANEL} role="tabpanel" aria-labelledby={`${PANEL}-${tab}`}>
        {problem !== undefined && data === undefined && (
          <Failed title={copy.failed} problem={problem} onRetry={reload} />
        )}
        {problem === undefined && data === undefined && <BoardSkeleton />}
        {data !== undefined && tab === 'holdings' && (
          <Holdings tokens={data.tokens} own={account?.address === address} />
        )}
        {data !== undefined &&
          tab === 'created' &&
          (data.created.length === 0 ? (
            <Notice title={copy.noCreated} />
          ) : (
            <TokenTable tokens={data.created} />
          ))}
        {(tab === 'trades' || seenTrades) && (
          <div hidden={tab !== 'trades'}>
            <WalletTrades address={address} symbols={symbols} />
          </div>
        )}
      </section>
    </>
  );
}

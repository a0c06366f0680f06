import { useEffect, useMemo, useState } from 'react';
import { displayText, sol } from '../format.js';
import { useConfig } from '../config.js';
import { raised } from '../market/progress.js';
import type { MarketConfig, TokenDetail } from '../market/types.js';
import { CopyLink } from '../parts/address.js';
import { graduationWords as copy } from '../words/graduation.js';

interface BannerProps {
  readonly token: TokenDetail;
  /** Whether the token graduated while the page was open. */
  readonly celebrate: boolean;
}

const COUNTING_MS = 1_200;

export default function GraduationBanner({ token, celebrate }: BannerProps) {
  const { graduation, graduationVirtualToken } = useConfig();
  // The reserves are the pool's as soon as it has opened.
  const sum = useMemo(
    () => (celebrate ? Number(raised(token, graduationVirtualToken).goal) : undefined),
    [celebrate],
  );
  const [part, setPart] = useState(1);
  useEffect(() => {
    if (!celebrate || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    void import('./confetti.js').then(({ burst }) => burst());
    const begin = performance.now();
    let frame = requestAnimationFrame(function count(now) {
      const done = Math.min(1, (now - begin) / COUNTING_MS);
      setPart(1 - (1 - done) ** 3);
      if (done < 1) frame = requestAnimationFrame(count);
    });
    return () => cancelAnimationFrame(frame);
  }, [celebrate]);
  const { venue, migration } = token;
  return (
    <div className="banner" data-testid="graduated">
      <strong>{copy.title}</strong>
      {sum !== undefined && (
        <span className="raised" data-testid="raised">
          {sol(BigInt(Math.round(sum * part)))} SOL
        </span>
      )}
      <span role="status">{sentence(venue, displayText(token.name), graduation)}</span>
      {migration !== null && migration.url !== null && /^https:\/\//.test(migration.url) && (
        <a className="link" href={migration.url} target="_blank" rel="noreferrer noopener">
          {copy.market} ↗
        </a>
      )}
      <CopyLink url={`${location.origin}/t/${token.mint}`} title={copy.share} className="btn quiet lesser" />
    </div>
  );
}

function sentence(venue: TokenDetail['venue'], name: string, graduation: MarketConfig['graduation']): string {
  if (venue === 'pool') return copy.poolOpen(name);
  return venue === 'unknown' ? copy.movedUnknown : copy.graduating[graduation];
}

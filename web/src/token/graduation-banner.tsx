import { useEffect } from 'react';
import { displayText } from '../format.js';
import { useConfig } from '../config.js';
import type { MarketConfig, TokenDetail } from '../market/types.js';
import { graduationWords as copy } from '../words/graduation.js';

interface BannerProps {
  readonly token: TokenDetail;
  /** Whether the token graduated while the page was open. */
  readonly celebrate: boolean;
}

export default function GraduationBanner({ token, celebrate }: BannerProps) {
  useEffect(() => {
    if (!celebrate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    void import('./confetti.js').then(({ burst }) => burst());
  }, [celebrate]);
  const { graduation } = useConfig();
  const { venue, migration } = token;
  return (
    <div className="banner" role="status" data-testid="graduated">
      <strong>{copy.title}</strong>
      <span>{sentence(venue, displayText(token.name), graduation)}</span>
      {migration !== null && migration.url !== null && /^https:\/\//.test(migration.url) && (
        <a className="link" href={migration.url} target="_blank" rel="noreferrer noopener">
          {copy.market} ↗
        </a>
      )}
    </div>
  );
}

function sentence(venue: TokenDetail['venue'], name: string, graduation: MarketConfig['graduation']): string {
  if (venue === 'pool') return copy.poolOpen(name);
  return venue === 'unknown' ? copy.movedUnknown : copy.graduating[graduation];
}

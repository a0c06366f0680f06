// Whether the trades that the service lists lead to what the chain holds.
import { address, count, exactCount, finePercent } from '../format.js';
import type { TokenSummary } from '../market/types.js';
import { Link } from '../parts/link.js';
import { detailWords } from '../words/token-details.js';
import type { ReplayNews } from './replay-worker.js';
import { useReplay } from './use-replay.js';

const copy = detailWords.replay;
type Done = ReplayNews & { readonly at: 'done' };

export function Replayed({ token }: { readonly token: TokenSummary }) {
  const news = useReplay(token);
  if (news.at === 'done') return <Outcome {...news} />;
  return (
    <p className="muted small" role="status" data-testid="replayed" data-at={news.at}>
      {news.at === 'reading' ? (
        <>
          {copy.reading(count(news.trades), count(token.trades))}{' '}
          <progress max={Math.max(1, token.trades)} value={news.trades} aria-label={copy.progress} />
        </>
      ) : (
        copy[news.at]
      )}
    </p>
  );
}

function Outcome({ verdict, slot, isCut, isSoldOut, otherFees, feeBps }: Done) {
  const sure = verdict.is === 'same' ? verdict : undefined;
  const notes = [
    sure !== undefined && sure.newer > 0 && copy.newer(sure.newer),
    sure !== undefined && isCut && copy.cut(count(sure.trades)),
    sure !== undefined && sure.trades > 0 && !sure.launchKnown && copy.otherLaunch,
    sure !== undefined && otherFees > 0 && copy.otherFees(otherFees, count(otherFees), finePercent(feeBps)),
    sure !== undefined && sure.trades > 0 && copy.scope,
    isSoldOut && copy.pool,
  ].filter((note) => note !== false);
  const tone = {
    same: sure?.launchKnown === false ? 'gold' : undefined,
    partly: undefined,
    elsewhere: 'gold',
    parts: 'down',
    unheld: 'down',
  }[verdict.is];
  return (
    <p className="small" role="status" data-testid="replayed" data-at={verdict.is}>
      <span className={tone}>{textOf(verdict, exactCount(slot), isCut)}</span>{' '}
      {'signature' in verdict && (
        <Link className="link" href={`/r/${verdict.signature}`}>
          {copy.receipt}
        </Link>
      )}{' '}
      <span className="muted">{notes.join(' ')}</span>
    </p>
  );
}

function textOf(verdict: Done['verdict'], slot: string, isCut: boolean): string {
  if (verdict.is === 'same')
    return verdict.trades === 0
      ? copy[verdict.launchKnown ? 'untraded' : 'unlisted'](slot)
      : copy.same(verdict.trades, count(verdict.trades), slot);
  if (verdict.is === 'partly') return copy.partly(count(verdict.trades));
  if (verdict.is === 'elsewhere') return copy.elsewhere(verdict.trades, count(verdict.trades), slot);
  const number = isCut ? undefined : exactCount(verdict.number);
  const signature = address(verdict.signature);
  if (verdict.is === 'unheld') return copy.unheld(number, signature, slot);
  return number === '1' ? copy.partsFromLaunch(signature) : copy.parts(number, signature);
}

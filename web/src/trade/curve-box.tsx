import { useConfig } from '../config.js';
import { TokenCurve } from '../curve/token-curve.js';
import { sol } from '../format.js';
import { raised } from '../market/progress.js';
import type { TokenDetail } from '../market/types.js';
import { words } from '../words/words.js';
import type { Quote } from './quote.js';

const copy = words.trade;

interface CurveBoxProps {
  readonly token: TokenDetail;
  readonly quote: Quote | undefined;
  /** Token base units that the wallet can sell. */
  readonly held: bigint;
  /** Token reserve to show while no trade is entered. */
  readonly after: bigint | undefined;
}

/** Shows the entered trade on the curve while the user types: its tokens and the price after it. */
export function CurveBox({ token, quote, held, after }: CurveBoxProps) {
  const { graduationVirtualToken, graduation } = useConfig();
  const isPool = token.venue === 'pool';
  const place = isPool ? copy.poolPlace : copy.place;
  const { now, goal } = raised(token, graduationVirtualToken);
  return (
    <div className="curvebox" data-testid="curve">
      <div className="foot-row">{place[quote?.side ?? 'none']}</div>
      <TokenCurve token={token} height={72} to={quote?.tokenAfter ?? after} held={held} />
      <div className="foot-row">
        {isPool ? (
          <span>{copy.poolFoot}</span>
        ) : (
          <>
            <span>
              <span className="strong">{sol(now)}</span> {copy.ofSol(sol(goal))}
            </span>
            <span>{copy.then[graduation]}</span>
          </>
        )}
      </div>
    </div>
  );
}

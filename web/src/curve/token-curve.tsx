import { useConfig } from '../config.js';
import type { TokenSummary } from '../market/types.js';
import { percent } from '../format.js';
import { words } from '../words/words.js';
import { Curve } from './curve.js';
import { poolShape } from './geometry.js';
import { useWidth } from './use-width.js';

type Token = Pick<TokenSummary, 'virtualToken' | 'initialVirtualToken' | 'venue' | 'status' | 'progressBps'>;

interface TokenCurveProps {
  readonly token: Token;
  readonly height: number;
  /** Default: the width of the parent element. */
  readonly width?: number;
  /** Virtual token reserve after a trade. */
  readonly to?: bigint | undefined;
  /** Whether the text next to the drawing already says what it shows. */
  readonly isDecoration?: boolean;
}

/** A token's position on its curve, or in its pool after graduation. */
export function TokenCurve({ token, height, width, to, isDecoration = false }: TokenCurveProps) {
  const config = useConfig();
  const [ref, measured] = useWidth();
  const isPool = token.venue === 'pool';
  const at = Number(token.virtualToken);
  const end = Number(config.graduationVirtualToken);
  const shape = isPool ? poolShape(at) : { start: Number(token.initialVirtualToken), end };
  const sold = isPool ? words.curve.pool : words.curve.sold(percent(token.progressBps));
  const curve = (
    <Curve
      shape={shape}
      at={isPool || token.status === 'trading' ? at : end}
      to={to === undefined ? undefined : Number(to)}
      width={width ?? measured}
      height={height}
      label={isDecoration ? undefined : sold}
      done={token.status !== 'trading'}
    />
  );
  return width === undefined ? (
    <div ref={ref} className="drawing">
      {curve}
    </div>
  ) : (
    curve
  );
}

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
  /** Without it the drawing is as wide as its place. */
  readonly width?: number;
  /** Virtual token reserve after a trade. */
  readonly to?: bigint | undefined;
  /** The words beside the drawing say what it shows. */
  readonly isDecoration?: boolean;
}

/** A token's place on its curve; of a token that has graduated, its pool. */
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

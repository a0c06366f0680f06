import { useConfig } from '../config.js';
import type { TokenSummary } from '../market/types.js';
import { percent } from '../format.js';
import { words } from '../words/words.js';
import { type CurveShape, plot, poolShape } from './geometry.js';
import { memo, useCallback, useState } from 'react';

type Token = Pick<TokenSummary, 'virtualToken' | 'initialVirtualToken' | 'venue' | 'status' | 'progressBps'>;

interface TokenCurveProps {
  readonly token: Token;
  readonly height: number;
  /** Default: the width of the parent element. */
  readonly width?: number;
  /** Virtual token reserve after a trade. */
  readonly to?: bigint | undefined;
  /** Token base units of the wallet: a hollow dot shows the curve after a sale of all of them. */
  readonly held?: bigint;
  /** Whether the text next to the drawing already says what it shows. */
  readonly isDecoration?: boolean;
}

/** A token's position on its curve, or in its pool after graduation. */
export function TokenCurve({ token, height, width, to, held = 0n, isDecoration = false }: TokenCurveProps) {
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
      sold={held > 0n && token.venue !== 'graduating' ? at + Number(held) : undefined}
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

// Measures the width of an element, because a stretched drawing would have distorted dots.
const callbacks = new WeakMap<Element, (width: number) => void>();
const observer = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) callbacks.get(target)?.(contentRect.width);
});

function useWidth(): [ref: (element: Element | null) => (() => void) | undefined, width: number] {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: Element | null) => {
    if (element === null) return undefined;
    callbacks.set(element, (value) => setWidth(Math.round(value)));
    observer.observe(element);
    return () => observer.unobserve(element);
  }, []);
  return [ref, width];
}

interface CurveProps {
  readonly shape: CurveShape;
  /** Current virtual token reserve. */
  readonly at: number;
  /** Virtual token reserve after the entered trade. */
  readonly to?: number | undefined;
  /** Virtual token reserve after a sale of all that the wallet holds. */
  readonly sold?: number | undefined;
  readonly width: number;
  readonly height: number;
  readonly pad?: number;
  /** A text alternative for the drawing. Omitted when the text next to it says the same. */
  readonly label?: string | undefined;
  /** Whether the curve has sold out. */
  readonly done?: boolean;
}

/** The bonding curve with the token's position, and the section that the entered trade would cover. */
const Curve = memo(function Curve(props: CurveProps) {
  const { shape, at, to, sold, width, height, pad = 6, label, done = false } = props;
  if (width < 2 * pad) return null;
  const { point, line, area } = plot(shape, { width, height, pad });
  const now = point(at);
  const then = to === undefined ? undefined : point(to);
  const end = point(shape.end);
  const mine = sold === undefined ? undefined : point(sold);
  return (
    <svg
      className={done ? 'curve done' : 'curve'}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path className="ahead" d={line(shape.start, shape.end)} />
      <line className="end" x1={end.x} x2={end.x} y1={end.y} y2={height - pad} />
      <path className="under" d={area(shape.start, at)} />
      <path className="sold" d={line(shape.start, at)} />
      {to !== undefined && then !== undefined && (
        <>
          <path className="trade-under" d={area(at, to)} />
          <path className="trade" d={line(at, to)} />
        </>
      )}
      {mine !== undefined && (
        <circle className="mine" cx={mine.x} cy={mine.y} r="4">
          <title>{words.curve.mine}</title>
        </circle>
      )}
      <circle className="now" cx={now.x} cy={now.y} r="4.5" />
      {then !== undefined && <circle className="then" cx={then.x} cy={then.y} r="5.5" />}
    </svg>
  );
});

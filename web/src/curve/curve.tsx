import { memo } from 'react';
import { plot, type CurveShape } from './geometry.js';

interface CurveProps {
  readonly shape: CurveShape;
  /** Current virtual token reserve. */
  readonly at: number;
  /** Virtual token reserve after the entered trade. */
  readonly to?: number | undefined;
  readonly width: number;
  readonly height: number;
  readonly pad?: number;
  /** A text alternative for the drawing. Omitted when the text next to it says the same. */
  readonly label?: string | undefined;
  /** Whether the curve has sold out. */
  readonly done?: boolean;
}

/** The bonding curve with the token's position, and the section that the entered trade would cover. */
export const Curve = memo(function Curve(props: CurveProps) {
  const { shape, at, to, width, height, pad = 6, label, done = false } = props;
  if (width < 2 * pad) return null;
  const { point, line, area } = plot(shape, { width, height, pad });
  const now = point(at);
  const then = to === undefined ? undefined : point(to);
  const end = point(shape.end);
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
      <circle className="now" cx={now.x} cy={now.y} r="4.5" />
      {then !== undefined && <circle className="then" cx={then.x} cy={then.y} r="5.5" />}
    </svg>
  );
});

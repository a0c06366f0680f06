// The bonding curve to scale: x is the share of the tokens sold, y the price, which is proportional to 1 / virtualToken².
export interface CurveShape {
  /** Virtual token reserve at the left end. */
  readonly start: number;
  /** Virtual token reserve at the right end: graduation. */
  readonly end: number;
}

export interface Box {
  readonly width: number;
  readonly height: number;
  readonly pad: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const STEPS = 48;

export interface Plot {
  /** The point for a reserve. Reserves beyond the ends are drawn at the ends. */
  readonly point: (virtualToken: number) => Point;
  /** The curve between two reserves. */
  readonly line: (from: number, to: number) => string;
  /** The area under the curve between two reserves. */
  readonly area: (from: number, to: number) => string;
}

export function plot({ start, end }: CurveShape, { width, height, pad }: Box): Plot {
  const lowest = 1 / start ** 2;
  const highest = 1 / end ** 2;
  const base = height - pad;
  const within = (reserve: number) => Math.min(Math.max(reserve, end), start);
  const point = (reserve: number): Point => {
    const at = within(reserve);
    return {
      x: pad + ((start - at) / (start - end)) * (width - 2 * pad),
      y: base - ((1 / at ** 2 - lowest) / (highest - lowest)) * (base - pad - 2),
    };
  };
  const line = (from: number, to: number) =>
    Array.from({ length: STEPS + 1 }, (_, step) => point(from + ((to - from) * step) / STEPS))
      .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
      .join('');
  const area = (from: number, to: number) =>
    `${line(from, to)}L${point(to).x.toFixed(1)} ${base}L${point(from).x.toFixed(1)} ${base}Z`;
  return { point, line, area };
}

/** A pool has no end. Its curve is drawn from one and a half times its current tokens to half of them. */
export function poolShape(virtualToken: number): CurveShape {
  return { start: virtualToken * 1.5, end: virtualToken * 0.5 };
}

// Generated art for a token without a picture. It depends only on the address, so it is always the same.
import { memo, useId, useState } from 'react';

function hash(text: string): number {
  let value = 7;
  for (const letter of text) value = (Math.imul(value, 31) + letter.charCodeAt(0)) >>> 0;
  return value;
}

/** A linear congruential generator: numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const Art = memo(function Art({ seed, size }: { readonly seed: string; readonly size: number }) {
  const id = useId();
  const next = numbers(hash(seed));
  const hue = Math.floor(next() * 360);
  const other = (hue + 40 + Math.floor(next() * 120)) % 360;
  const turn = Math.floor(next() * 360);
  const rings = Array.from({ length: 3 + Math.floor(next() * 3) }, (_, index) => ({
    cx: 20 + next() * 24,
    cy: 20 + next() * 24,
    r: 8 + index * 6,
    width: 2 + next() * 3,
    light: 78 - index * 8,
    opacity: 0.9 - index * 0.15,
  }));
  return (
    <svg className="art" width={size} height={size} viewBox="0 0 64 64" aria-hidden="true">
      <linearGradient id={id} gradientTransform={`rotate(${turn} .5 .5)`}>
        <stop stopColor={`hsl(${hue} 72% 46%)`} />
        <stop offset="1" stopColor={`hsl(${other} 68% 26%)`} />
      </linearGradient>
      <rect width="64" height="64" fill={`url(#${id})`} />
      {rings.map(({ cx, cy, r, width, light, opacity }, index) => (
        <circle
          key={index}
          cx={cx}
          cy={cy}
          r={r}
          fill="none"
          stroke={`hsl(${other} 90% ${light}%)`}
          strokeWidth={width}
          opacity={opacity}
        />
      ))}
    </svg>
  );
});

interface PictureProps {
  readonly mint: string;
  /** A path on this origin, so that the page never loads pictures from other hosts. */
  readonly image: string | null;
  readonly size: number;
}

export function Picture({ mint, image, size }: PictureProps) {
  const [broken, setBroken] = useState<string>();
  if (image === null || image === broken || !/^(\/(?!\/)|blob:)/.test(image))
    return <Art seed={mint} size={size} />;
  return (
    <img
      className="art"
      src={image}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(image)}
    />
  );
}

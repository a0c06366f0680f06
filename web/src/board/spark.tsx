const [WIDTH, HEIGHT] = [96, 32];

/** Market caps of a day as a line. The change beside it says the same in a number. */
export function Spark({ caps }: { readonly caps: readonly string[] }) {
  const values = caps.map(Number);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, index) => {
    const y = high === low ? HEIGHT / 2 : HEIGHT - 2 - ((value - low) / (high - low)) * (HEIGHT - 4);
    return `${((index / (values.length - 1)) * WIDTH).toFixed(1)},${y.toFixed(1)}`;
  });
  const way = values.at(-1)! < values[0]! ? 'down' : 'up';
  return (
    <svg className={`spark ${way}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}

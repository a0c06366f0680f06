import { sol, when } from '../format.js';
import type { Candle } from '../market/types.js';
import { detailWords } from '../words/token-details.js';
import { words } from '../words/words.js';

const copy = words.tokenPage.chart;
const SHOWN = 100;

/** The chart's numbers, for users who cannot see the chart. */
export default function ChartTable({ candles }: { readonly candles: readonly Candle[] }) {
  return (
    <div className="chart-table" tabIndex={0} role="region" aria-label={copy.titles.cap}>
      <table>
        <thead>
          <tr>
            {detailWords.chartColumns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {candles
            .slice(-SHOWN)
            .reverse()
            .map(([time, open, high, low, close, volume]) => (
              <tr key={time}>
                <td>{when(time)}</td>
                <td>{sol(open)}</td>
                <td>{sol(high)}</td>
                <td>{sol(low)}</td>
                <td>{sol(close)}</td>
                <td>{sol(volume)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

import { CurveStatus, graduationProgress, priceOf } from '@curvekit/sdk';
import { renderTable, type Column } from '#app/cli/table.js';
import type { Comparison } from './comparison.js';
import type { CrowdLaunch } from './crowd.js';
import { lamportsPerToken, percent, shortened, sol } from './format.js';

const COLUMNS: readonly Column[] = [
  { title: 'token' },
  { title: 'mint' },
  { title: 'status' },
  { title: 'buys', align: 'right' },
  { title: 'sells', align: 'right' },
  { title: 'refused', align: 'right' },
  { title: 'volume', unit: 'SOL', align: 'right' },
  { title: 'fees', unit: 'SOL', align: 'right' },
  { title: 'price', unit: 'lamports/token', align: 'right' },
  { title: 'progress', unit: '%', align: 'right' },
  { title: 'records', align: 'right' },
  { title: 'records and chain' },
];

const STATUS_NAMES: Readonly<Record<CurveStatus, string>> = {
  [CurveStatus.Trading]: 'trading',
  [CurveStatus.Finalized]: 'graduated',
  [CurveStatus.Migrated]: 'migrated',
};

/** One row for each launch, from its records alone. Only refusals are counted separately: they leave no records. */
export function crowdTable(
  launches: readonly (CrowdLaunch & { readonly comparison: Comparison })[],
  colour: boolean,
): string {
  const rows = launches.map(({ launch, steps, comparison: { history, records, checks, equal } }) => {
    const { created, status, buys, sells, solPaid, solReceived, fees, virtualToken } = history;
    const refused = steps.filter(({ outcome }) => outcome === 'refused').length;
    const differences = checks.filter(({ fromRecords, onChain }) => fromRecords !== onChain).length;
    return {
      cells: [
        created.symbol,
        shortened(launch.mint.toBase58()),
        STATUS_NAMES[status],
        `${buys}`,
        `${sells}`,
        `${refused}`,
        sol(solPaid + solReceived),
        sol(fees),
        lamportsPerToken(priceOf(history)),
        percent(graduationProgress(virtualToken, created.virtualToken).progressBps),
        `${records}`,
        equal ? `equal (${checks.length} values)` : `${differences} of ${checks.length} values DIFFER`,
      ],
      style: equal ? undefined : ('red' as const),
    };
  });
  return renderTable(COLUMNS, rows, colour);
}

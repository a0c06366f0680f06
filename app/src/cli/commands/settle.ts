import type { Command } from 'commander';
import { settleAll, settleOne } from '../../chain/settlement/pass.js';
import type { SettlementReport } from '../../chain/settlement/settle.js';
import { withContext } from '../chain-work.js';
import { work, type Registration } from '../command.js';
import { grouped, sol, tableOr, tokens } from '../format.js';
import { address } from '../values.js';

/** `settle [MINT]` */
export function registerSettle(program: Command, registration: Registration): void {
  const command = program
    .command('settle')
    .description(
      'settle the community storages of one token, or of all: what a crash left open, and whatever reaches the minimum. Waits for finality; exit code 1 when something waits or failed',
    )
    .argument('[mint]', 'the token; all of them without it', address);
  work(command, registration, async ({ args: [mint], terminal }) => {
    const options = { signal: new AbortController().signal };
    const reports = await withContext(terminal, async (context) =>
      mint === undefined ? settleAll(context, options) : [await settleOne(context, mint, options)],
    );
    return {
      document: { settlements: reports },
      text: describe(reports),
      failed: reports.some(({ outcome }) => outcome === 'waiting' || outcome === 'failed'),
    };
  });
}

function describe(reports: readonly SettlementReport[]): string {
  const settled = reports.flatMap(({ settlement }) => (settlement?.state === 'done' ? [settlement] : []));
  const table = tableOr(
    'Nothing was settled.',
    [
      { title: 'mint' },
      { title: 'of', unit: 'SOL, tokens' },
      { title: 'taken', align: 'right' },
      { title: 'burned', align: 'right' },
      { title: 'holders', align: 'right' },
      { title: 'LP', align: 'right' },
      { title: 'creator', align: 'right' },
      { title: 'wallets', align: 'right' },
    ],
    settled.flatMap((row) => [
      {
        cells: [
          row.mint,
          'SOL',
          ...[row.sol, 0n, row.solHolders, row.solLp, row.solCreator].map(sol),
          grouped(row.holders),
        ],
      },
      {
        cells: [
          row.mint,
          'tokens',
          ...[row.token, row.tokenBurned, row.tokenHolders, row.tokenLp, row.tokenCreator].map(tokens),
          grouped(row.holders),
        ],
      },
    ]),
  );
  const problems = reports.flatMap(({ mint, outcome, problems: found }) =>
    found.map((problem) => `${mint} ${outcome === 'failed' ? 'failed' : 'waits'}: ${problem}`),
  );
  return [table, ...problems].join('\n');
}

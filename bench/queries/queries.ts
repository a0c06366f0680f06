// The plans of all queries of requests and jobs, with tables as after years.
import { grouped } from '#app/cli/table.js';
import { whole } from '../driver/options.js';
import { numberColumns, say, scenario, type Figures } from '../driver/scenario.js';
import { explainAll, type Explained } from './explain-all.js';

const TRADES = 1_000_000;
const REWARDS = 200_000;
/** Tokens, and rows of the other tables, for each trade. */
const SHARE = 50;

interface Result extends Explained {
  readonly trades: number;
  readonly rewards: number;
}

scenario('queries', {
  about: `Fills PostgreSQL, sends requests to every route of the APIs, lets the jobs work, and reads the plan of each statement, also of
those inside functions: for their parameters, and those that PostgreSQL keeps for all parameters. With fewer rows the same
runs in \`tests/service/database/query-plans.test.ts\`.`,
  options: {
    trades: whole(TRADES, `(${grouped(TRADES)}); 10000000 take 6 GB of disk`),
    rewards: whole(REWARDS, `(${grouped(REWARDS)})`),
  },
  fails: 'a statement reads a table that grows as a whole, or over 25,000 rows of it',
  isOfMachine: false,
  setup: async (stage) => ({
    cluster: await stage.cluster(),
    url: (await stage.database(await stage.postgres())).url,
  }),
  load: async (given, { trades, rewards }): Promise<Result> => {
    const others = Math.ceil(trades / SHARE);
    say(`filling ${grouped(trades)} trades and ${grouped(rewards)} rewards`);
    const sizes = { tokens: others, trades, rewards, others };
    return { trades, rewards, ...(await explainAll({ ...given, sizes })) };
  },
  figures,
  problems: ({ findings }) => findings.map(({ problem, statement }) => `${problem}: ${statement}`),
});

function figures({ trades, rewards, statements, findings }: Result): Figures {
  return {
    title: `${grouped(trades)} trades, ${grouped(rewards)} rewards`,
    columns: numberColumns('', ['statements']),
    rows: [
      { cells: ['explained', grouped(statements)] },
      { cells: ['that read too much', grouped(findings.length)] },
    ],
    notes: findings.map(
      ({ during, problem, statement }) => `${problem} (${during}): ${statement.replaceAll(/\s+/g, ' ')}`,
    ),
  };
}

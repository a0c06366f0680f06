// The plans of all statements that this process sends to PostgreSQL, also of those inside functions: `auto_explain` sends
// them back as notices.
import pg from 'pg';
import { MOST_READ } from '#app/market/reads/tokens.js';
import { BOUNDED } from '#tests/database/grown-tables.js';

const SETTINGS = [
  'session_preload_libraries=auto_explain',
  'auto_explain.log_min_duration=0',
  'auto_explain.log_nested_statements=on',
  'auto_explain.log_analyze=on',
  'auto_explain.log_timing=off',
  'auto_explain.log_format=json',
  'auto_explain.log_level=notice',
];
/** Rows that a statement of a request or a job may read: candles of seconds read 10,000 trades. */
const MOST_ROWS = 25_000;

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Node[];
}

interface Notice {
  readonly message?: string | undefined;
  /** The functions that the statement is in. */
  readonly where?: string | undefined;
}

interface Explained {
  readonly 'Query Text': string;
  readonly Plan: Node;
}

/** A scan that takes the longer, the more a table grows. */
export interface Finding {
  /** Who asked at that time: a statement of a job can come between those of a request. */
  readonly during: string;
  readonly problem: string;
  readonly statement: string;
}

export type PlanMode = 'auto' | 'force_generic_plan';

/** The URL of a database whose connections explain what they execute. The user must be a superuser. */
export function explainingUrl(url: string, mode: PlanMode): string {
  const explained = new URL(url);
  const settings = [...SETTINGS, `plan_cache_mode=${mode}`];
  explained.searchParams.set('options', settings.map((setting) => `-c ${setting}`).join(' '));
  return explained.href;
}

/** Statements that may read a table as a whole. */
const EXCUSED: readonly (readonly [part: string, why: string])[] = [
  ["state = 'other' and strpos(detail", 'once, when a key is watched that was not before'],
];

/** Statements that may read more rows, by an index. */
const MORE_ROWS: readonly (readonly [part: string, rows: number, why: string])[] = [
  [
    `limit ${MOST_READ}`,
    3 * MOST_READ,
    'a page of a search, which reads so many of each status in order, and can be short',
  ],
  [
    'with parts as (select mint, minute - minute %',
    1_000_000,
    'each candle is rolled up once, those of a quarter of an hour at a time',
  ],
];

/** Part of a statement that finds the events of a range of blocks by the index alone, before it reads their rows. */
const INDEX_ONLY = 'from trade_rows x';

interface Named {
  readonly name?: string;
  readonly text?: string;
}

type Method = (this: pg.Client, ...args: unknown[]) => unknown;
const CLIENT = pg.Client.prototype as unknown as Record<'connect' | 'query', Method>;

export class Plans {
  /** By statement and problem. */
  readonly #found = new Map<string, Finding>();
  readonly #statements = new Set<string>();
  /** Texts of named statements. PostgreSQL keeps their plans, and those of statements inside functions. */
  readonly #kept = new Set<string>();
  readonly #own = { connect: CLIENT.connect, query: CLIENT.query };
  #during = 'start';
  #mode: PlanMode = 'auto';

  /** Reads the plans of connections that are opened from now on. */
  constructor() {
    const { connect, query } = this.#own;
    const [take, kept] = [(notice: Notice) => this.#take(notice), this.#kept];
    Object.assign(CLIENT, {
      connect(this: pg.Client, ...args: unknown[]): unknown {
        this.on('notice', take);
        return connect.apply(this, args);
      },
      query(this: pg.Client, ...args: unknown[]): unknown {
        const { name, text } = (args[0] ?? {}) as Named;
        if (name !== undefined && text !== undefined) kept.add(text);
        return query.apply(this, args);
      },
    });
  }

  get findings(): readonly Finding[] {
    return [...this.#found.values()];
  }

  get statements(): number {
    return this.#statements.size;
  }

  /** @param what names what is asked from now on, in the findings */
  during(what: string, mode: PlanMode): void {
    this.#during = `${what}, ${mode}`;
    this.#mode = mode;
  }

  stop(): void {
    Object.assign(CLIENT, this.#own);
  }

  #take({ message = '', where }: Notice): void {
    const at = message.indexOf('plan:\n');
    if (at < 0) return;
    const { 'Query Text': statement, Plan: plan } = JSON.parse(
      message.slice(at + 'plan:\n'.length),
    ) as Explained;
    this.#statements.add(statement);
    // Other statements are planned for their parameters each time.
    if (this.#mode === 'force_generic_plan' && where === undefined && !this.#kept.has(statement)) return;
    if (EXCUSED.some(([part]) => statement.includes(part))) return;
    const most = MORE_ROWS.find(([part]) => statement.includes(part))?.[1] ?? MOST_ROWS;
    const problems = problemsOf(plan, most);
    if (statement.includes(INDEX_ONLY) && !isIndexOnly(plan))
      problems.push({ kind: 'index only', text: 'reads the rows of trades to find a range of slots' });
    for (const problem of problems)
      this.#found.set(`${problem.kind} ${statement}`, {
        during: this.#during,
        problem: problem.text,
        statement,
      });
  }
}

const isIndexOnly = ({ Plans: inside = [], ...node }: Node): boolean =>
  (node['Node Type'] === 'Index Only Scan' && node['Index Name']?.includes('slot_id') === true) ||
  inside.some(isIndexOnly);

interface Problem {
  readonly kind: string;
  readonly text: string;
}

function problemsOf(node: Node, most: number): Problem[] {
  const inside = (node.Plans ?? []).flatMap((child) => problemsOf(child, most));
  const relation = node['Relation Name'];
  if (relation === undefined || BOUNDED.has(relation) || relation.startsWith('pg_')) return inside;
  const type = node['Node Type'];
  // A scan that was not executed says so by its loops: its statement still has this plan.
  if (type === 'Seq Scan')
    inside.push({ kind: `scan of ${relation}`, text: `reads the whole table ${relation}` });
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const rows = (node['Actual Rows'] + removed) * node['Actual Loops'];
  if (rows > most)
    inside.push({
      kind: `rows of ${relation}`,
      text: `reads ${rows} rows of ${relation} by ${node['Index Name'] ?? type}`,
    });
  return inside;
}

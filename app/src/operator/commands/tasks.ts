import { Option, type Command } from 'commander';
import { TASK_KINDS, type TaskKind } from '../../db/schema/values.js';
import { CommandError, work, type Registration, type Invocation, type Result } from '../command.js';
import { wholeNumber } from '../values.js';
import { Tasks, waitingTasks } from '../../db/retries/tasks.js';
import { withDatabase } from '../session.js';
import { plain, right, tableOr } from '../format.js';

export function register(group: Command, registration: Registration): void {
  const list = group
    .command('list', { isDefault: true })
    .description('what waits, why, and when it is tried again; the next ones first')
    .addOption(new Option('--kind <kind>', 'only tasks of this kind').choices(TASK_KINDS))
    .option('--limit <count>', 'how many at most', wholeNumber(1, 10_000), 50);
  work(list, registration, runTasksList);

  const retry = group
    .command('retry')
    .description('have the running service try a task again within seconds')
    .addArgument(group.createArgument('<kind>', 'the kind of the task').choices(TASK_KINDS))
    .argument('[subject]', 'its token, or `referrals`; all tasks of the kind without it');
  work(retry, registration, runTasksRetry);
}

interface ListOptions {
  readonly kind?: TaskKind;
  readonly limit: number;
}

async function runTasksList({
  terminal,
  options: { kind, limit },
}: Invocation<ListOptions>): Promise<Result> {
  const tasks = await withDatabase(terminal, ({ queries }) => waitingTasks(queries, kind, limit));
  const now = Date.now();
  const text = tableOr(
    'Nothing waits.',
    ['kind', 'subject', right('attempts'), right('waits'), right('tried again'), 'why'],
    tasks.map(({ kind, subject, attempts, since, dueAt, problem }) => [
      kind,
      subject,
      String(attempts),
      duration(now - since.getTime()),
      dueAt.getTime() <= now ? 'now' : `in ${duration(dueAt.getTime() - now)}`,
      plain(problem),
    ]),
  );
  return { document: { tasks }, text };
}

async function runTasksRetry({ terminal, args: [kind, subject] }: Invocation<object>): Promise<Result> {
  const tasks = new Tasks(kind as TaskKind);
  const woken = await withDatabase(terminal, (database) =>
    database.transaction((tx) => tasks.wake(tx, Date.now(), subject)),
  );
  if (woken === 0 && subject !== undefined)
    throw new CommandError(`no task ${kind} ${subject} waits; \`curvekit tasks\` shows those that do`);
  return { document: { kind, woken }, text: `The running service tries again: ${woken} of kind ${kind}.` };
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Rounded down, in the largest unit that fits. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [name, size] = UNITS.find(([, size]) => seconds >= size) ?? UNITS[3];
  return `${Math.floor(seconds / size)} ${name}`;
}

import { Option, type Command } from 'commander';
import { TASK_KINDS } from '../../db/schema/values.js';
import { work, type Registration } from '../command.js';
import { wholeNumber } from '../values.js';

export function registerTasks(program: Command, registration: Registration): void {
  const group = program.command('tasks').description('what the service could not do yet, and tries again');
  const list = group
    .command('list', { isDefault: true })
    .description('what waits, why, and when it is tried again; the next ones first')
    .addOption(new Option('--kind <kind>', 'only tasks of this kind').choices(TASK_KINDS))
    .option('--limit <count>', 'how many at most', wholeNumber(1, 10_000), 50);
  work(list, registration, async () => (await import('../work/tasks.js')).runTasksList);
  const retry = group
    .command('retry')
    .description('have the running service try a task again within seconds')
    .addArgument(group.createArgument('<kind>', 'the kind of the task').choices(TASK_KINDS))
    .argument('[subject]', 'its token, or `referrals`; all tasks of the kind without it');
  work(retry, registration, async () => (await import('../work/tasks.js')).runTasksRetry);
}

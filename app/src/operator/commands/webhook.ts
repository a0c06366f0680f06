import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { readConfig } from '../../config/config.js';
import { findPartner } from '../../partners/key-repository.js';
import { addressProblem } from '../../webhooks/address.js';
import {
  addEndpoint,
  listEndpoints,
  removeEndpoint,
  replay,
  rotateSecret,
  testEndpoint,
} from '../../webhooks/endpoints.js';
import { eventsOf, OPERATOR, replayFrom } from '../../webhooks/events.js';
import { fateOf } from '../../webhooks/outbox.js';
import { TIMEOUT_MS } from '../../webhooks/send.js';
import { CommandError, work, type Invocation, type Registration, type Result } from '../command.js';
import { facts, plain, right, tableOr } from '../format.js';
import { withDatabase } from '../session.js';
import { duration } from '../values.js';

const DAY_SECONDS = 86_400;
const LOOK_MS = 100;
const ID: readonly [string, string] = ['<id>', 'id of the webhook, as `curvekit webhook list` shows it'];

export function register(group: Command, registration: Registration): void {
  const add = group
    .command('add')
    .description('send events to a server from now on, and show the secret that signs them once')
    .argument('<url>', 'https URL of the server')
    .option('--partner <name>', "send the events of this partner's users; without it those for the operator")
    .option('--types <list>', 'types of events, separated by commas; all without it', (text) =>
      text.split(','),
    );
  work(add, registration, runAdd);

  const list = group.command('list').description('all webhooks, what waits for them, and why');
  work(list, registration, runList);

  const test = group
    .command('test')
    .description(
      'have the running service send a test event, and wait for the answer. Exit code 1 if it is not taken',
    )
    .argument(...ID);
  work(test, registration, runTest);

  const again = group
    .command('replay')
    .description('send events again, also those that were given up; enables a webhook that answered 410')
    .argument(...ID)
    .requiredOption('--from <event>', 'id of the first event, or a time such as 2026-11-29T12:00:00Z', first);
  work(again, registration, runReplay);

  const overlap = 'how long both secrets sign, such as 2h; 0s ends the old one at once';
  const rotate = group
    .command('rotate')
    .description('replace the secret of a webhook')
    .argument(...ID)
    .addOption(new Option('--overlap <duration>', overlap).argParser(duration).default(DAY_SECONDS, '24h'));
  work(rotate, registration, runRotate);

  const remove = group
    .command('remove')
    .description('send nothing to a webhook any more')
    .argument(...ID);
  work(remove, registration, runRemove);
}

interface AddOptions {
  readonly partner?: string;
  readonly types?: readonly string[];
}

async function runAdd({
  args,
  options: { partner: name, types },
  terminal,
}: Invocation<AddOptions>): Promise<Result> {
  const url = args[0]!;
  const problem = addressProblem(url, readConfig(terminal.environment).isSimulated);
  if (problem !== undefined) throw new CommandError(`the URL ${problem}`);
  const added = await withDatabase(terminal, async (database) => {
    const partner = name === undefined ? { id: OPERATOR } : await findPartner(database.queries, name);
    if (partner === undefined)
      throw new CommandError(`there is no partner '${name}'; \`curvekit key list\` shows them`);
    const known = eventsOf(partner.id);
    const unknown = types?.find((type) => !known.includes(type));
    if (unknown !== undefined)
      throw new CommandError(
        `'${plain(unknown)}' is not a type of events here; the types are ${known.join(', ')}`,
      );
    return addEndpoint(database, { partnerId: partner.id, url, types });
  });
  return { document: { ...added, url }, text: secretText(added.id, added.secret) };
}

async function runList({ terminal }: Invocation<object>): Promise<Result> {
  const webhooks = await withDatabase(terminal, ({ queries }) => listEndpoints(queries));
  const text = tableOr(
    'There are no webhooks. `curvekit webhook add` makes one.',
    ['id', 'of', 'url', 'state', right('waiting'), right('dead'), 'why'],
    webhooks.map(({ id, partner, url, state, waiting, dead, problem, deadLetters }) => [
      id,
      partner ?? 'operator',
      plain(url),
      state,
      String(waiting),
      String(dead),
      plain(problem ?? deadLetters[0]?.problem ?? ''),
    ]),
  );
  return { document: { webhooks }, text };
}

async function runTest({ args: [id = ''], terminal }: Invocation<object>): Promise<Result> {
  return withDatabase(terminal, async (database) => {
    const event = await testEndpoint(database, { id });
    const until = performance.now() + 2 * TIMEOUT_MS;
    let fate = await fateOf(database.queries, id, event);
    while (fate === undefined && performance.now() < until) {
      await sleep(LOOK_MS);
      fate = await fateOf(database.queries, id, event);
    }
    const problem =
      fate === undefined
        ? 'it still waits: is the service running, and has it events to send before?'
        : fate.problem;
    return {
      document: { webhook: id, event, taken: problem === null, problem },
      text:
        problem === null
          ? `The webhook took ${event}.`
          : `The webhook has not taken ${event}: ${plain(problem)}`,
      failed: problem !== null,
    };
  });
}

async function runReplay({
  args: [id = ''],
  options: { from },
  terminal,
}: Invocation<{ readonly from: string | Date }>): Promise<Result> {
  const events = await withDatabase(terminal, (database) => replay(database, { id }, from));
  return { document: { webhook: id, events }, text: `The running service sends ${events} events again.` };
}

async function runRotate({
  args: [id = ''],
  options: { overlap },
  terminal,
}: Invocation<{ readonly overlap: number }>): Promise<Result> {
  const secret = await withDatabase(terminal, (database) => rotateSecret(database, { id }, overlap));
  return { document: { id, secret }, text: secretText(id, secret) };
}

async function runRemove({ args: [id = ''], terminal }: Invocation<object>): Promise<Result> {
  await withDatabase(terminal, (database) => removeEndpoint(database, { id }));
  return { document: { removed: id }, text: `Removed the webhook ${id}.` };
}

function first(text: string): string | Date {
  const from = replayFrom(text);
  if (from !== undefined) return from;
  throw new InvalidArgumentError('It must be the id of an event, or a time such as 2026-11-29T12:00:00Z.');
}

function secretText(id: string, secret: string): string {
  return `${facts([
    ['id', id],
    ['secret', secret],
  ])}\n\nThis is the only time that the secret is shown. Hand it over safely.`;
}

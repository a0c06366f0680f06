// The operator's command line, `curvekit`.
import { Command, CommanderError } from 'commander';
import type { Registration, Terminal } from './command.js';
import packageFile from '../../package.json';

type Register = (command: Command, registration: Registration) => void;

/**
 * All commands, in the order of the help, with what it says of each. A command's file is loaded when the command line names
 * it, so that help starts fast.
 */
const COMMANDS: readonly (readonly [
  usage: string,
  description: string,
  load: () => Promise<{ readonly register: Register }>,
])[] = [
  ['start [options]', 'run the service until it is interrupted', () => import('./commands/start.js')],
  [
    'signer [options]',
    "hold the treasury's key (TREASURY_KEYPAIR) in a process of its own, which pays claims and nothing else, until it is interrupted",
    () => import('./commands/signer.js'),
  ],
  [
    'migrate-db [options]',
    'bring the database tables up to date; safe to run twice, and while instances start',
    () => import('./commands/migrate-db.js'),
  ],
  [
    'doctor [options]',
    'check the configuration and everything it names; say what is wrong and how to fix it. Exit code 1 for failures',
    () => import('./commands/doctor.js'),
  ],
  ['key', "partners' API keys", () => import('./commands/key.js')],
  [
    'webhook',
    'servers that are told of events: your own and those of partners',
    () => import('./commands/webhook.js'),
  ],
  ['properties', "the launchpad's settings on chain", () => import('./commands/properties.js')],
  ['token', 'indexed tokens', () => import('./commands/token.js')],
  [
    'migrate [options] <mint>',
    "migrate a graduated curve and contribute the token's share to its community storages, in one transaction. Run it again to finish what is missing. Waits until finalized",
    () => import('./commands/migrate.js'),
  ],
  [
    'graduate [options] <mint>',
    'take a sold-out curve to its pool, where curves graduate by themselves. Anyone may, with any key; done twice it changes nothing',
    () => import('./commands/graduate.js'),
  ],
  [
    'fees',
    'platform fees of a launchpad whose curves graduate by themselves',
    () => import('./commands/fees.js'),
  ],
  [
    'upgrade [options]',
    'print what the upgrade authority, which should be a multisig, must sign to upgrade a program from a buffer. Sends nothing',
    () => import('./commands/upgrade.js'),
  ],
  [
    'settle [options] [mint]',
    'settle the community storages of one token, or of all: finish open settlements, start new ones where due, sample holders, pay. Waits until done; exit code 1 when a settlement waits or failed',
    () => import('./commands/settle.js'),
  ],
  ['claims', 'claims of rewards', () => import('./commands/claims.js')],
  ['ledger', 'the rewards of wallets', () => import('./commands/ledger.js')],
  [
    'reindex [options]',
    'delete everything derived from the chain, so that the service reads it again; rewards, claims and partners stay',
    () => import('./commands/reindex.js'),
  ],
  ['tasks', 'what the service could not do yet, and tries again', () => import('./commands/tasks.js')],
];

const FAILURE = 1;
const USAGE = 2;

/**
 * Runs a command line.
 *
 * @param args the arguments after node and the script
 * @returns the exit code: 0, 1 for a failure or a problem found, 2 for an invalid command line
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const registration = { terminal, setExitCode: (code: number) => (exitCode = code) };
  try {
    const program = await createProgram(
      args.find((word) => !word.startsWith('-')),
      registration,
    );
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    const { explained } = await import('./session.js');
    terminal.err(`curvekit: ${explained(error)}`);
    return FAILURE;
  }
}

async function createProgram(named: string | undefined, registration: Registration): Promise<Command> {
  const { out, err } = registration.terminal;
  const program = new Command('curvekit')
    .description(
      'Operates a Curvekit launchpad. Configured by the environment; .env.example explains every variable.',
    )
    .version(packageFile.version, '-V, --version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('(--help says more)')
    .exitOverride()
    // On demand, because it imports most of the service. Before the action, because a later build can remove its file.
    .hook('preAction', async () => {
      await import('./session.js');
    })
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: (text) => err(text.trimEnd()),
      outputError: (message, write) => write(withoutRefusedValue(message)),
    });
  for (const [usage, description, load] of COMMANDS) {
    const [name = '', ...parts] = usage.split(' ');
    const command = program.command(name).description(description);
    if (name === named) (await load()).register(command, registration);
    for (const part of name === named ? [] : parts) {
      if (part === '[options]') command.option('--json');
      else command.argument(part);
    }
  }
  return program;
}

// Commander quotes the values that it refuses. A refused value can be a key, so it must not reach a log.

function withoutRefusedValue(message: string): string {
  return message
    .replace(/(option '[^']*') argument '[\s\S]*' is invalid\./, '$1 is invalid.')
    .replace(/command-argument value '[\s\S]*' is invalid for (argument '[^']*')/, '$1 is invalid')
    .replace(/unknown (command|option) '([\s\S]*?)'(?=\n|$)/, (whole, kind: string, text: string) =>
      canBeKey(text) ? `unknown ${kind}` : whole,
    );
}

const LONGEST_WORD = 31;

function canBeKey(text: string): boolean {
  return text.length > LONGEST_WORD || /[[,]/.test(text);
}

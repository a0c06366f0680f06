// The operator's command line, `curvekit`.
import { Command, CommanderError } from 'commander';
import type { Registration } from './command.js';
import { registerClaims } from './commands/claims.js';
import { registerDoctor } from './commands/doctor.js';
import { registerFees } from './commands/fees.js';
import { registerGraduate } from './commands/graduate.js';
import { registerKey } from './commands/key.js';
import { registerLedger } from './commands/ledger.js';
import { registerMigrate } from './commands/migrate.js';
import { registerMigrateDb } from './commands/migrate-db.js';
import { registerProperties } from './commands/properties.js';
import { registerReindex } from './commands/reindex.js';
import { registerSettle } from './commands/settle.js';
import { registerSigner } from './commands/signer.js';
import { registerStart } from './commands/start.js';
import { registerTasks } from './commands/tasks.js';
import { registerToken } from './commands/token.js';
import { registerUpgrade } from './commands/upgrade.js';
import type { Terminal } from './terminal.js';
import packageFile from '../../package.json';

/** All commands, in the order of the help. */
const REGISTER: readonly ((program: Command, registration: Registration) => void)[] = [
  registerStart,
  registerSigner,
  registerMigrateDb,
  registerDoctor,
  registerKey,
  registerProperties,
  registerToken,
  registerMigrate,
  registerGraduate,
  registerFees,
  registerUpgrade,
  registerSettle,
  registerClaims,
  registerLedger,
  registerReindex,
  registerTasks,
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
  const program = createProgram({ terminal, setExitCode: (code) => (exitCode = code) });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    const { explained } = await import('./errors.js');
    terminal.err(`curvekit: ${explained(error)}`);
    return FAILURE;
  }
}

function createProgram(registration: Registration): Command {
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
      await import('./errors.js');
    })
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: (text) => err(text.trimEnd()),
      outputError: (message, write) => write(withoutRefusedValue(message)),
    });
  for (const register of REGISTER) register(program, registration);
  return program;
}

// Commander quotes the values that it refuses. A refused value can be a key, so it must not reach a log.

/** Commander's message without the refused value. */
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

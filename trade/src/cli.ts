// The traders' command line, `curvekit-trade`.
import { Command, CommanderError } from 'commander';
import type { Registration } from './command.js';
import { registerClaim } from './commands/claim.js';
import { registerCompletion } from './commands/completion.js';
import { registerFind } from './commands/find.js';
import { registerHistory } from './commands/history.js';
import { registerLaunch } from './commands/launch.js';
import { registerMcp } from './commands/mcp.js';
import { registerPortfolio } from './commands/portfolio.js';
import { registerQuote } from './commands/quote.js';
import { registerBuy, registerSell } from './commands/trade.js';
import { registerWatch } from './commands/watch.js';
import { EXIT, EXIT_CODES } from './errors.js';
import type { Terminal } from './terminal.js';
import packageFile from '../package.json' with { type: 'json' };

/** All commands, in the order of the help. */
const REGISTER: readonly ((program: Command, registration: Registration) => void)[] = [
  registerFind,
  registerQuote,
  registerBuy,
  registerSell,
  registerLaunch,
  registerWatch,
  registerPortfolio,
  registerHistory,
  registerClaim,
  registerMcp,
  registerCompletion,
];

/** Runs a command line. @returns the exit code */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT.done;
  const program = createProgram({ terminal, setExitCode: (code) => (exitCode = code) });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    throw error;
  }
}

function createProgram(registration: Registration): Command {
  const { out, err } = registration.terminal;
  const program = new Command('curvekit-trade')
    .description('Trades on a Curvekit launchpad. Results on standard output, progress on standard error.')
    .version(packageFile.version, '-V, --version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('(--help says more)')
    .exitOverride()
    .addHelpText('after', EXIT_CODES)
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: (text) => err(text.trimEnd()),
      outputError: (text, write) => write(`curvekit-trade: ${text.replace(/^error: /, '')}`),
    });
  for (const register of REGISTER) register(program, registration);
  for (const command of program.commands) command.addHelpText('after', EXIT_CODES);
  return program;
}

import type { Command } from 'commander';
import type { Registration } from '../command.js';
import type { SignerOptions } from '../work/signer.js';
import { solAmount } from '../values.js';

export function registerSigner(program: Command, { terminal }: Registration): void {
  program
    .command('signer')
    .description(
      "hold the treasury's key (TREASURY_KEYPAIR) in a process of its own, which pays claims and nothing else, until it is interrupted",
    )
    .requiredOption('--socket <path>', 'unix socket to listen on; its owner and group may ask for signatures')
    .option(
      '--claims',
      'store claims too (needs DATABASE_URL and RPC_URL), and pay only what the ledger owes',
    )
    .option('--sol-per-day <sol>', 'most that may leave the treasury in 24 hours', solAmount)
    .option('--json', 'print one line of JSON, before the lines of the log')
    .action(async (options: SignerOptions) => {
      const { runSigner } = await import('../work/signer.js');
      await runSigner(terminal, options);
    });
}

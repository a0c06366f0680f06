// Options and progress messages of commands that send a transaction.
import type { Keypair } from '@solana/web3.js';
import type { Command } from 'commander';
import type { SendingOptions } from '@curvekit/sdk/trade';
import { textOf, withKeypair, type Session } from './command.js';
import { unitPrice } from './values.js';

export function withSending(command: Command): Command {
  return withKeypair(command)
    .option('--priority-fee <price>', 'micro-lamports per compute unit (default: estimated from recent fees)')
    .option('--max-priority-fee <price>', 'the most that the estimate may be (default: 1000000)')
    .option('--finalized', 'wait until the transaction is finalized, about 15 s; confirmed else')
    .option('--simulate', 'build and simulate the transaction; sign and send nothing');
}

export function sendingOf(session: Session, wallet: Keypair): SendingOptions & { readonly wallet: Keypair } {
  const { options, deployment, terminal, progress } = session;
  const [price, highest] = [textOf(options, 'priorityFee'), textOf(options, 'maxPriorityFee')];
  return {
    wallet,
    deployment,
    signal: terminal.stopped,
    computeUnitPrice: price === undefined ? undefined : unitPrice('--priority-fee', price),
    highestComputeUnitPrice: highest === undefined ? undefined : unitPrice('--max-priority-fee', highest),
    commitment: options['finalized'] === true ? 'finalized' : 'confirmed',
    onSigned: (signature) => progress(`signed     ${signature}`),
    onSent: () => progress('sent'),
    onConfirmed: () => progress(options['finalized'] === true ? 'finalized' : 'confirmed'),
  };
}

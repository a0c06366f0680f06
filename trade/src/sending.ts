// Options and progress messages of commands that send a transaction.
import type { Keypair } from '@solana/web3.js';
import type { Command } from 'commander';
import { compose, type Composed, type SendingOptions } from '@curvekit/sdk/trade';
import { type Options, textOf, withKeypair, type Session } from './command.js';
import { UsageError } from './errors.js';
import { address, sol, unitPrice } from './values.js';

export function withSending(command: Command): Command {
  return withKeypair(command)
    .option('--priority-fee <price>', 'micro-lamports per compute unit (default: estimated from recent fees)')
    .option('--max-priority-fee <price>', 'the most that the estimate may be (default: 1000000)')
    .option('--tip <sol>', 'pays --tip-to in the same transaction, for example a block engine that lands it')
    .option('--tip-to <address>', 'who gets --tip')
    .option('--finalized', 'wait until the transaction is finalized, about 15 s; confirmed else')
    .option('--simulate', 'build and simulate the transaction; sign and send nothing');
}

/** Options of a transaction until it is signed. */
export function preparingOf({ options, deployment, terminal }: Session, wallet: Keypair) {
  const [price, highest] = [textOf(options, 'priorityFee'), textOf(options, 'maxPriorityFee')];
  return {
    wallet,
    deployment,
    signal: terminal.stopped,
    computeUnitPrice: price === undefined ? undefined : unitPrice('--priority-fee', price),
    highestComputeUnitPrice: highest === undefined ? undefined : unitPrice('--max-priority-fee', highest),
    composition: tipOf(options),
  };
}

function tipOf(options: Options): Composed | undefined {
  const [lamports, to] = [textOf(options, 'tip'), textOf(options, 'tipTo')];
  if (lamports === undefined && to === undefined) return undefined;
  if (lamports === undefined || to === undefined)
    throw new UsageError(to === undefined ? '--tip' : '--tip-to', 'needs both: --tip SOL --tip-to ADDRESS');
  return compose({ tip: { to: address('--tip-to', to), lamports: sol('--tip', lamports) } });
}

/** How it is sent and followed. */
export function sendingOf({ options, progress }: Session): Omit<SendingOptions, 'wallet'> {
  const commitment = options['finalized'] === true ? 'finalized' : 'confirmed';
  return {
    commitment,
    onSigned: (signature) => progress(`signed     ${signature}`),
    onSent: () => progress('sent'),
    onConfirmed: () => progress(commitment),
  };
}

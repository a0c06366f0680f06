// The amount of a trade: `--sol`, `--tokens`, or `all`.
import type { Command } from 'commander';
import { DEFAULT_SLIPPAGE_BPS, type TradeAmount } from '@curvekit/sdk/trade';
import { textOf, type Options } from './command.js';
import { UsageError } from './errors.js';
import { basisPoints, sol, tokens } from './values.js';

export type Side = 'buy' | 'sell';

export interface Order {
  readonly amount: bigint | 'all';
  /** Whether the amount is the output of the trade, not its input. */
  readonly isExactOut: boolean;
  /** The amount as a parameter of trade(). */
  readonly params: TradeAmount;
}

export function withAmounts(command: Command): Command {
  return command
    .option('--sol <amount>', 'SOL to spend on a buy, fee included; SOL to receive from a sale')
    .option('--tokens <amount>', 'tokens to receive from a buy; tokens to sell')
    .option('--slippage <share>', 'how much worse than quoted the price may get: 0.5% or 50bps', '1%');
}

export function slippageOf(options: Options): number {
  const given = textOf(options, 'slippage');
  return given === undefined ? DEFAULT_SLIPPAGE_BPS : basisPoints('--slippage', given);
}

/**
 * @param all the argument after the mint of a sell, which must be `all`
 * @param words the ways to give the amount, for the error message
 * @throws UsageError for no amount, or for two
 */
export function orderOf(options: Options, side: Side, all?: string, words = '--sol and --tokens'): Order {
  const [inSol, inTokens] = [textOf(options, 'sol'), textOf(options, 'tokens')];
  const given = [inSol, inTokens, all].filter((amount) => amount !== undefined).length;
  if (given !== 1) {
    throw new UsageError('amount', `is given ${given} times; give exactly one of ${words}`);
  }
  if (all !== undefined) {
    if (all !== 'all')
      throw new UsageError('amount', `is '${all}'; it must be the word all; --tokens ${all} sells so many`);
    return { amount: 'all', isExactOut: false, params: { tokenToSpend: 'all' } };
  }
  if (inSol !== undefined) {
    const amount = sol('--sol', inSol);
    return side === 'buy'
      ? { amount, isExactOut: false, params: { solToSpend: amount } }
      : { amount, isExactOut: true, params: { solToReceive: amount } };
  }
  const amount = tokens('--tokens', inTokens!);
  return side === 'buy'
    ? { amount, isExactOut: true, params: { tokenToReceive: amount } }
    : { amount, isExactOut: false, params: { tokenToSpend: amount } };
}

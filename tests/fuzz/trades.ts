// Buys and sells: sent, compared with what they must do, and with what always holds.
import {
  buyExactIn,
  decodeTradeRecord,
  ProgramError,
  sellExactIn,
  VALIDATE_LOG_RECORD_DATA_SIZE,
} from '@curvekit/sdk';
import { publicKeyOf, type Call } from '../differential/call.js';
import { tradeCall as callOfTrade } from '../differential/instructions.js';
import { amountOf, minimumOf } from './amounts.js';
import { checkCover, CURVE_BYTES, curveNow } from './curve-account.js';
import { checkBuy, checkSell } from './invariants.js';
import { FEE_RECEIVER, TRADER_KEYS, type TokenKeys } from './keys.js';
import { must, same, type TokenState } from './state.js';
import type { Step } from './steps.js';
import { NOW, withNumbers, type Message, type World } from './world.js';

export type TradeStep = Extract<Step, { is: 'buy' | 'sell' }>;

/** Offset of the amount and the minimum in the data. */
const NUMBERS = 9;
const show = (record: object): string =>
  JSON.stringify(record, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));

export function tradeCall({ is, trader }: TradeStep, { addressed, held }: TokenKeys): Call {
  return callOfTrade(is, addressed, publicKeyOf(TRADER_KEYS[trader]!), publicKeyOf(held[trader]!));
}

function tradeMessage(world: World, step: TradeStep, token: TokenState): Message {
  const { is, trader } = step;
  const { keys } = token;
  return world.messages.named(`${is} ${keys.index} ${trader}`, () => tradeCall(step, keys));
}

/** @returns the error, or undefined on success */
export function playTrade(world: World, step: TradeStep): string | undefined {
  const buys = step.is === 'buy';
  const { trader } = step;
  const token = world.token(step.token, 1);
  const feeBps = world.settings?.feeBps ?? 0n;
  const has = buys ? world.traders[trader]! : (token.held[trader] ?? 0n);
  const amount = amountOf(step.amount, buys, token, feeBps, has);
  const minimum = minimumOf(step.minimum, buys, token, feeBps, amount);
  const error = world.run(withNumbers(tradeMessage(world, step, token), NUMBERS, amount, minimum));
  if (token.status === 0 || token.held[trader] === undefined) {
    must('a trade without its accounts is refused', error !== undefined);
    return error;
  }
  const expected = expectedTrade(world, token, trader, { buys, amount, minimum });
  if (typeof expected === 'string') {
    must(`a trade is refused with ${expected}, not ${error}`, error?.startsWith(expected) === true);
    return error;
  }
  same(`the result of a ${step.is} of ${amount}`, error, undefined);
  settle(world, token, trader, buys ? expected : inverse(expected), { amount, minimum, feeBps, buys });
  return undefined;
}

/** The effect of a sell with the signs of a buy. */
function inverse(effect: Effect): Effect {
  return { ...effect, tokens: -effect.tokens, curve: -effect.curve, trader: -effect.trader };
}

function settle(
  world: World,
  token: TokenState,
  trader: number,
  effect: Effect,
  call: {
    readonly amount: bigint;
    readonly minimum: bigint;
    readonly feeBps: bigint;
    readonly buys: boolean;
  },
): void {
  const { keys } = token;
  const before = {
    status: token.status,
    virtualSol: token.virtualSol,
    virtualToken: token.virtualToken,
    lamports: token.curveLamports,
  };
  const [hadLamports, hadTokens, fees] = [world.traders[trader]!, token.held[trader]!, world.feeReceiver];
  const after = curveNow(world, token);
  const vault = world.amount(keys.vault);
  const held = world.amount(keys.held[trader]!);
  const lamports = world.lamports(TRADER_KEYS[trader]!);
  const feeReceiver = world.lamports(FEE_RECEIVER);

  same('the status', after.status, effect.graduates ? 2 : 1);
  same('the virtual SOL', after.virtualSol, effect.virtualSol);
  same('the virtual tokens', after.virtualToken, effect.virtualToken);
  same("the curve's lamports", after.lamports, token.curveLamports + effect.curve);
  same('the tokens in the vault', vault, token.vault - effect.tokens);
  same("the trader's tokens", held, hadTokens + effect.tokens);
  same("the trader's lamports", lamports, hadLamports - effect.trader);
  same("the fee receiver's lamports", feeReceiver, fees + effect.fee);

  const { buys, ...said } = call;
  if (world.calls !== undefined)
    same(
      'the record',
      show(decodeTradeRecord(world.calls.at(-1)!.subarray(VALIDATE_LOG_RECORD_DATA_SIZE))),
      show({
        mint: publicKeyOf(keys.mint),
        trader: publicKeyOf(TRADER_KEYS[trader]!),
        isBuy: buys,
        solAmount: buys ? hadLamports - lamports : lamports - hadLamports,
        tokenAmount: buys ? held - hadTokens : hadTokens - held,
        fee: feeReceiver - fees,
        virtualSol: after.virtualSol,
        virtualToken: after.virtualToken,
        finalized: after.status === 2,
        timestamp: NOW,
      }),
    );
  const seen = { before, after, fee: feeReceiver - fees, ...said };
  if (buys) checkBuy({ ...seen, lamports: hadLamports - lamports, tokens: held - hadTokens });
  else checkSell({ ...seen, lamports: lamports - hadLamports, tokens: hadTokens - held });

  if (after.lamports > before.lamports) token.paid += after.lamports - before.lamports;
  else token.got += before.lamports - after.lamports;
  checkCover(token, after, vault);

  token.status = effect.graduates ? 2 : 1;
  token.virtualSol = after.virtualSol;
  token.virtualToken = after.virtualToken;
  token.curveLamports = after.lamports;
  token.vault = vault;
  token.held[trader] = held;
  world.traders[trader] = lamports;
  world.feeReceiver = feeReceiver;
}

/** An amount that a wallet or a token account does not have, to the system and the token program. */
const TOO_FEW = '1';
const TRADING_CLOSED = '6001';
const LOGICAL_ERROR = '6005';
const NO_RENT = 'InsufficientFundsForRent';

/** A trade's effect. All in lamports and token units, each positive. */
interface Effect {
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
  readonly tokens: bigint;
  /** Lamports that the curve receives or pays out, fee included in what it pays out. */
  readonly curve: bigint;
  /** Lamports that the trader pays or receives. */
  readonly trader: bigint;
  readonly fee: bigint;
  readonly graduates: boolean;
}

/** What a trade must do, by the SDK's exact quotes and the runtime's rules: the number of the error, or the effect. */
type Expected = string | Effect;

function expectedTrade(
  world: World,
  token: TokenState,
  trader: number,
  { buys, amount, minimum }: { readonly buys: boolean; readonly amount: bigint; readonly minimum: bigint },
): Expected {
  if (token.status !== 1) return TRADING_CLOSED;
  const { virtualSol, virtualToken } = token;
  const { feeBps } = world.settings!;
  const effect = orCode((): Effect => {
    if (buys) {
      const { net, tokenOut, ...bought } = buyExactIn(virtualSol, virtualToken, feeBps, amount, minimum);
      return { ...bought, tokens: tokenOut, curve: net, trader: net + bought.fee };
    }
    const { gross, solOut, ...sold } = sellExactIn(virtualSol, virtualToken, feeBps, amount, minimum);
    return { ...sold, tokens: amount, curve: gross, trader: solOut, graduates: false };
  });
  if (typeof effect === 'string') return effect;
  const has = world.traders[trader]!;
  const isTooFew = buys ? has < effect.trader : token.held[trader]! < amount;
  if (isTooFew) return TOO_FEW;
  const left = buys ? token.curveLamports + effect.curve : token.curveLamports - effect.curve;
  if (!buys && left < world.rentOf(CURVE_BYTES)) return LOGICAL_ERROR;
  const rests =
    isExempt(world, 0, has, buys ? has - effect.trader : has + effect.trader) &&
    isExempt(world, CURVE_BYTES, token.curveLamports, left) &&
    isExempt(world, 0, world.feeReceiver, world.feeReceiver + effect.fee);
  return rests ? effect : NO_RENT;
}

/** Whether the runtime lets an account's balance change so: it must be exempt from rent, or not lose anything. */
function isExempt(world: World, bytes: number, before: bigint, after: bigint): boolean {
  if (after === 0n || after === before) return true;
  return after >= world.rentOf(bytes) || (before > 0n && after >= before);
}

function orCode<T>(quote: () => T): T | string {
  try {
    return quote();
  } catch (error) {
    if (error instanceof ProgramError) return String(error.code);
    throw error;
  }
}

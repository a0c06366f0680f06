// Executes one step in an arena, on both builds.
import {
  decodeTokenOwnerData,
  encodeTokenOwnerData,
  sellExactIn,
  STATUS_FINALIZED,
  TOKEN_OWNER_DATA_SIZE,
} from '@curvekit/sdk';
import { alter } from './alter.js';
import { HELD, RENT, SETTINGS, TOKEN, USUAL_TERMS, wallet, type Arena, type ArenaToken } from './arena.js';
import { keyOf, publicKeyOf, type Call } from './call.js';
import { throughCaller } from './caller.js';
import {
  buyCall,
  createCall,
  logCall,
  migrateCall,
  propertiesCall,
  sellCall,
  type AddressedToken,
} from './instructions.js';
import { Difference, type Pair } from './pair.js';
import type { CallStep, CurveReserves, Instruction, Step } from './steps.js';
import type { StoredAccount } from './svm.js';
import { tokenAccount } from './token-account.js';

/** The result of a step, equal on both builds. */
export interface Played {
  /** A description of the step. */
  readonly what: string;
  readonly result: string;
  /** The called instruction of the program under test. */
  readonly instruction?: Instruction;
}

/** @throws Difference when the builds differ */
export function play(pair: Pair, arena: Arena, step: Step): Played {
  switch (step.is) {
    case 'set balance':
      pair.setAccount(arena.traders[step.of]!, wallet(step.lamports));
      return { what: `trader ${step.of} has ${step.lamports} lamports`, result: 'set' };
    case 'set token account':
      setTokenAccount(pair, arena, step);
      return { what: `token account ${step.of} of token ${step.token} is ${step.to}`, result: 'set' };
    case 'renew':
      for (const [key, account] of arena.created[step.token]!) pair.setAccount(key, account);
      return { what: `token ${step.token} is as it was created`, result: 'set' };
    case 'set rent':
      pair.setRent(step.lamportsPerByte, step.threshold);
      return {
        what: `the rent is ${step.lamportsPerByte} · ${step.threshold} lamports per byte`,
        result: 'set',
      };
    case 'set curve':
      changeCurve(pair, arena.tokens[step.token]!, (account) => withReserves(account, step.state));
      return { what: `curve ${step.token} is ${Object.values(step.state).join(', ')}`, result: 'set' };
    case 'set curve balance': {
      const least = pair.rentOf(TOKEN_OWNER_DATA_SIZE) + step.off;
      changeCurve(pair, arena.tokens[step.token]!, (account) => {
        const lamports = step.sells ? least + paidFor(account) : least;
        return { ...account, lamports: lamports < 0n ? 0n : lamports };
      });
      const sells = step.sells ? ', plus those of a sell' : '';
      return { what: `curve ${step.token} has ${least} lamports${sells}`, result: 'set' };
    }
    case 'buyToken':
    case 'sellToken':
    case 'migrate':
    case 'validateLogRecord':
    case 'createToken':
    case 'adminSetProperties':
      return playCall(pair, arena, step);
  }
}

/** Token units that the first trader sells in each step. */
export const SOLD = 3n * 10n ** 11n;

/** Lamports that leave the curve when the first trader sells. */
function paidFor({ data }: StoredAccount): bigint {
  const { virtualSol, virtualToken } = decodeTokenOwnerData(data);
  const { solOut, fee } = sellExactIn(virtualSol, virtualToken, BigInt(SETTINGS.platformFeeBps), SOLD);
  return solOut + fee;
}

/** Changes the curve account. Does nothing when it no longer exists, as after a migration at a rent of 0. */
export function changeCurve(
  pair: Pair,
  { curve }: ArenaToken,
  change: (account: StoredAccount) => StoredAccount,
): void {
  const key = keyOf(curve.address);
  const account = pair.account(key);
  if (isCurve(account)) pair.setAccount(key, change(account));
}

export function withReserves(account: StoredAccount, reserves: CurveReserves): StoredAccount {
  return {
    ...account,
    data: encodeTokenOwnerData({ ...decodeTokenOwnerData(account.data), ...reserves }),
  };
}

function isCurve(account: StoredAccount | undefined): account is StoredAccount {
  return account?.data.length === TOKEN_OWNER_DATA_SIZE;
}

function setTokenAccount(
  pair: Pair,
  { tokens, traders }: Arena,
  { token: index, of, to }: Extract<Step, { is: 'set token account' }>,
): void {
  const token = tokens[index]!;
  const [mint, owner, state] = [keyOf(token.mint), traders[of]!, to === 'frozen' ? 2 : 1];
  const data = tokenAccount({ mint, owner, amount: HELD, state });
  pair.setAccount(token.held[of]!, { lamports: RENT, owner: TOKEN, data });
}

function playCall(pair: Pair, arena: Arena, step: CallStep): Played {
  const { call: right, what: rightly } = rightCall(arena, step);
  const through = (each: Call) => (step.called ? throughCaller(each) : each);
  const { alteration } = step;
  const [sent, altered] = alteration === undefined ? [right] : alter(right, alteration, arena);
  const what = [rightly, step.called && 'another program calls', altered].filter(Boolean).join('; ');
  const isSingleFault = () => alteration === undefined || pair.wouldSucceed(through(right), arena.relayer);
  const { error } = during(what, () => pair.send(through(sent), arena.relayer, isSingleFault));
  const graduated =
    error === undefined && step.is === 'buyToken' && hasGraduated(pair, arena.tokens[step.token]!);
  return { what, result: error ?? (graduated ? 'success, graduated' : 'success'), instruction: step.is };
}

/** Adds the description of the step to a difference. */
function during<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Difference) error.message = `${what}\n     ${error.message}`;
    throw error;
  }
}

interface RightCall {
  readonly call: Call;
  readonly what: string;
}

/** The valid call before an alteration. */
function rightCall(arena: Arena, step: CallStep): RightCall {
  switch (step.is) {
    case 'buyToken':
    case 'sellToken': {
      const token = arena.tokens[step.token]!;
      const args = { amount: step.amount, minimum: 0n };
      const [trader, held] = [arena.traders[step.trader]!, token.held[step.trader]!];
      const build = step.is === 'buyToken' ? buyCall : sellCall;
      return {
        call: build(token, publicKeyOf(trader), publicKeyOf(held), args),
        what: `${step.is} of token ${step.token} by trader ${step.trader}, ${args.amount}`,
      };
    }
    case 'migrate': {
      const token = arena.tokens[step.token]!;
      const call = migrateCall(token, publicKeyOf(token.held.at(-1)!));
      return { call, what: `migrate of token ${step.token}` };
    }
    case 'validateLogRecord':
      return { call: logCall(), what: 'validateLogRecord' };
    case 'createToken': {
      const token: AddressedToken = arena.tokens[step.token] ?? arena.unborn();
      const call = createCall(token, publicKeyOf(arena.traders[0]!), USUAL_TERMS);
      return { call, what: `createToken of token ${step.token}` };
    }
    case 'adminSetProperties':
      return { call: propertiesCall(SETTINGS), what: 'adminSetProperties' };
  }
}

function hasGraduated(pair: Pair, { curve }: ArenaToken): boolean {
  const account = pair.account(keyOf(curve.address));
  return isCurve(account) && decodeTokenOwnerData(account.data).initialized === STATUS_FINALIZED;
}

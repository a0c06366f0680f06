// What anybody can do to the accounts of a launchpad without its programs: gifts, burns, closed accounts.
import {
  createBurnInstruction,
  createCloseAccountInstruction,
  createTransferInstruction,
} from '@solana/spl-token';
import { SystemProgram, type PublicKey } from '@solana/web3.js';
import { callOf, publicKeyOf, type Key } from '../differential/call.js';
import { DEX_OWNER, PLACES, RELAYER, TOKENS, TRADER_KEYS, TRADERS } from './keys.js';
import { must, same } from './state.js';
import type { Step } from './steps.js';
import { withNumbers, type World } from './world.js';

type StepOf<Is extends Step['is']> = Extract<Step, { is: Is }>;

const addresses = <T extends readonly Key[]>(...keys: T) =>
  keys.map(publicKeyOf) as unknown as { [Index in keyof T]: PublicKey };
const MILLION = 1_000_000n;

export function playGift(world: World, { to, lamports }: StepOf<'gift'>): string | undefined {
  const key = PLACES[to % PLACES.length]!;
  const before = world.lamports(key);
  const message = world.messages.named(`gift ${key.hex}`, () => {
    const [fromPubkey, toPubkey] = addresses(RELAYER, key);
    return callOf(SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 0 }));
  });
  const error = world.run(withNumbers(message, 4, lamports));
  same('the lamports after a gift', world.lamports(key), error === undefined ? before + lamports : before);
  world.sync(key);
  return error;
}

/** Where tokens can go: the vault, the curve's second account, the community's storage, the traders' accounts. */
export function playTokenGift(world: World, step: StepOf<'gift of tokens'>): string | undefined {
  const { keys, ...token } = world.tokens[step.token]!;
  const to = [keys.vault, keys.second, keys.storages.token, ...keys.held][step.to % (3 + TRADERS)]!;
  const had = token.held[step.trader];
  const amount = ((had ?? 0n) * BigInt(step.millionths)) / MILLION;
  const from = keys.held[step.trader]!;
  const [source, destination, owner] = addresses(from, to, TRADER_KEYS[step.trader]!);
  const error = world.send(callOf(createTransferInstruction(source, destination, owner, amount)));
  if (had === undefined) must('a closed account gives nothing', error !== undefined);
  if (error === undefined && to.hex !== from.hex) {
    const now = world.tokens[step.token]!;
    now.held[step.trader] = had! - amount;
    if (to.hex === keys.vault.hex) now.vault += amount;
    const receiver = keys.held.findIndex(({ hex }) => hex === to.hex);
    if (receiver >= 0) now.held[receiver]! += amount;
  }
  return error;
}

export function playBurn(
  world: World,
  { token: index, trader, millionths }: StepOf<'burn'>,
): string | undefined {
  const token = world.tokens[index]!;
  const held = token.held[trader] ?? 0n;
  const amount = (held * BigInt(millionths)) / MILLION;
  const { keys } = token;
  const [account, mint, owner] = addresses(keys.held[trader]!, keys.mint, TRADER_KEYS[trader]!);
  const error = world.send(callOf(createBurnInstruction(account, mint, owner, amount)));
  if (error === undefined) {
    token.held[trader] = held - amount;
    token.supply -= amount;
  }
  return error;
}

export function playClose(world: World, { token: index, trader }: StepOf<'close'>): string | undefined {
  const token = world.tokens[index]!;
  const held = token.held[trader];
  const error = closeAccount(world, token.keys.held[trader]!, TRADER_KEYS[trader]!);
  same('whether a token account was closed', error === undefined, held === 0n);
  if (error === undefined) token.held[trader] = undefined;
  return error;
}

export function playReopen(world: World, { trader }: StepOf<'reopen'>): undefined {
  for (const token of world.tokens) {
    if (token.held[trader] !== undefined) continue;
    world.openHeld(token.keys, trader);
    token.held[trader] = 0n;
  }
}

export function playCloseStorage(
  world: World,
  { token: index, side }: StepOf<'close storage'>,
): string | undefined {
  const token = world.tokens[index % TOKENS]!;
  const error = closeAccount(world, token.keys.storages[side], DEX_OWNER);
  if (error !== undefined) return error;
  if (side === 'wsol') token.wsolOpen = false;
  else token.tokenOpen = false;
  return undefined;
}

function closeAccount(world: World, account: Key, owner: Key): string | undefined {
  const [closed, destination, signer] = addresses(account, RELAYER, owner);
  return world.send(callOf(createCloseAccountInstruction(closed, destination, signer)));
}

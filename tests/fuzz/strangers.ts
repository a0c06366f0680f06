// What anybody can do to the accounts of a launchpad without its programs: gifts, burns, closed accounts.
import { TOKEN_PROGRAM_ADDRESS } from '@curvekit/sdk';
import { keyOf, type Call, type Key } from '../differential/call.js';
import { lamportDonation, tokenDonation } from './donations.js';
import { DEX_OWNER, PLACES, RELAYER, TOKENS, TRADER_KEYS, TRADERS } from './keys.js';
import { withNumbers } from './messages.js';
import { must, same } from './state.js';
import type { Step } from './steps.js';
import type { World } from './world.js';

type StepOf<Is extends Step['is']> = Extract<Step, { is: Is }>;

const TOKEN_PROGRAM = keyOf(TOKEN_PROGRAM_ADDRESS);
const BURN = 8;
const CLOSE = 9;
const MILLION = 1_000_000n;

export function playGift(world: World, { to, lamports }: StepOf<'gift'>): string | undefined {
  const key = PLACES[to % PLACES.length]!;
  const before = world.lamports(key);
  const message = world.messages.named(`gift ${key.hex}`, () => lamportDonation(RELAYER, key, 0n));
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
  const error = world.send(tokenDonation(from, to, TRADER_KEYS[step.trader]!, amount));
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
  const error = world.send(
    tokenCall(
      Buffer.concat([Uint8Array.of(BURN), u64(amount)]),
      keys.held[trader]!,
      keys.mint,
      TRADER_KEYS[trader]!,
    ),
  );
  if (error === undefined) {
    token.held[trader] = held - amount;
    token.supply -= amount;
  }
  return error;
}

export function playClose(world: World, { token: index, trader }: StepOf<'close'>): string | undefined {
  const token = world.tokens[index]!;
  const held = token.held[trader];
  const wallet = TRADER_KEYS[trader]!;
  const error = world.send(tokenCall(Uint8Array.of(CLOSE), token.keys.held[trader]!, RELAYER, wallet));
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
  const error = world.send(tokenCall(Uint8Array.of(CLOSE), token.keys.storages[side], RELAYER, DEX_OWNER));
  if (error !== undefined) return error;
  if (side === 'wsol') token.wsolOpen = false;
  else token.tokenOpen = false;
  return undefined;
}

/** A call of the token program with two writable accounts and a signer. */
function tokenCall(data: Uint8Array, first: Key, second: Key, signer: Key): Call {
  return {
    program: TOKEN_PROGRAM,
    metas: [
      { key: first, isSigner: false, isWritable: true },
      { key: second, isSigner: false, isWritable: true },
      { key: signer, isSigner: true, isWritable: false },
    ],
    data,
  };
}

function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

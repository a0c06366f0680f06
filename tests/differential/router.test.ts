// Jupiter's adapter, for both versions of the interface, against the program: each quote is what the swap then does, to the
// unit, up to the graduation. The swap has the accounts that the adapter lists, and comes by CPI, as Jupiter's does.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  associatedTokenAddress,
  DEFAULT_DEPLOYMENT,
  GRADUATION_VIRTUAL_TOKEN,
  MAX_PLATFORM_FEE_BPS,
  NATIVE_MINT_ADDRESS,
} from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { requireCargo } from '#tests/process/cargo.js';
import { ROOT } from '../../scripts/program/paths.js';
import { randomStream, type Random } from '../../scripts/random.js';
import { amountOf } from '../fuzz/amounts.js';
import { Worlds } from '../fuzz/batch.js';
import { curveNow } from '../fuzz/curve-account.js';
import { testedFiles } from '../fuzz/files.js';
import { FEE_RECEIVER, PROPERTIES, TRADER_KEYS } from '../fuzz/keys.js';
import { play } from '../fuzz/play.js';
import type { TokenState } from '../fuzz/state.js';
import { USUAL_SPEC } from '../fuzz/steps.js';
import type { World } from '../fuzz/world.js';
import { keyOf, publicKeyOf, type Key } from './call.js';
import { tradeCall } from './instructions.js';
import { programsBeside, throughCaller } from './programs.js';

/** `ROUTED_SWAPS=1000000` makes a longer run, `ROUTER_SEED` repeats one. */
const SWAPS = Number(process.env['ROUTED_SWAPS'] ?? 10_000);
const TRADING_CLOSED = '6001';
const WRAPPED_SOL = TRADER_KEYS.map((trader) =>
  associatedTokenAddress(publicKeyOf(trader), NATIVE_MINT_ADDRESS).address.toBase58(),
);
const PROGRAM = keyOf(DEFAULT_DEPLOYMENT.programId);

interface Quoted {
  readonly error?: undefined;
  readonly in: string;
  readonly out: string;
  readonly fee: string;
  readonly accounts: readonly (readonly [address: string, isSigner: boolean, isWritable: boolean])[];
  readonly data: readonly number[];
}
type Answer = Quoted | { readonly error: string };

interface Order {
  readonly token: TokenState;
  readonly trader: number;
  readonly buys: boolean;
  readonly exactIn: boolean;
  readonly amount: bigint;
}

describe("Jupiter's adapter and the program", function () {
  this.timeout(600_000);
  const seed = Number(process.env['ROUTER_SEED'] ?? randomInt(2 ** 30));
  const random = randomStream(seed, 0);
  let world: World;
  let ask: (order: Order) => Promise<Answer>;

  before(async () => {
    requireCargo('the adapter is in Rust');
    world = new Worlds(testedFiles(), await programsBeside((line) => console.error(`      ${line}`))).at(0);
    const router = spawn('cargo', ['run', '--quiet', '--locked', '--all-features', '--example', 'router'], {
      cwd: join(ROOT, 'crates'),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    after(async () => {
      router.stdin.end();
      if (router.exitCode === null) await once(router, 'exit');
    });
    const lines = createInterface(router.stdout)[Symbol.asyncIterator]();
    ask = async (order) => {
      router.stdin.write(`${JSON.stringify(request(world, order))}\n`);
      const line = (await lines.next()).value as string | undefined;
      const answers = JSON.parse(line ?? '[]') as readonly Answer[];
      expect(answers).to.have.length(2);
      expect(answers[0], 'the versions of the interface').to.deep.equal(answers[1]);
      return answers[0]!;
    };
  });

  it(`Given random orders of seed ${seed}, when ${SWAPS} are quoted and routed, then each does what its quote says`, async () => {
    const seen: Record<string, number> = {};
    let trading: readonly TokenState[] = [];
    for (let routed = 0; routed < SWAPS;) {
      if (trading.length === 0) trading = launch(world, random);
      const order = randomOrder(world, random, trading);
      const { token, trader, buys, exactIn, amount } = order;
      const holdings = (): readonly bigint[] => [
        ...[TRADER_KEYS[trader]!, FEE_RECEIVER].map((key) => world.lamports(key)),
        world.amount(token.keys.held[trader]!),
      ];
      const count = (kind: string): number => (seen[kind] = (seen[kind] ?? 0) + 1);
      const answer = await ask(order);
      if (answer.error !== undefined && !exactIn) {
        // The program has no instruction for it.
        count('refused');
        const left = token.virtualToken - GRADUATION_VIRTUAL_TOKEN;
        expect(amount === 0n || (buys && amount > left), `${amount}: ${answer.error}`).to.equal(true);
        continue;
      }
      const before = holdings();
      const error = answer.error === undefined ? route(world, answer) : sendUnquoted(world, order);
      const [lamports, fee, tokens] = holdings().map((after, index) => after - before[index]!);
      const [given, got] = buys ? [-lamports!, tokens!] : [-tokens!, lamports!];
      Object.assign(token, curveNow(world, token));
      const kind = `${buys ? 'buy' : 'sell'}, exact ${exactIn ? 'in' : 'out'}`;
      const what = `${routed}: ${kind}, ${amount}: ${JSON.stringify(answer)}`;
      if (answer.error === undefined) {
        routed += 1;
        count(kind);
        const quoted = [answer.in, answer.out, answer.fee].map(BigInt);
        expect([error, given, got, fee], what).to.deep.equal([undefined, ...quoted]);
        expect(exactIn ? given === amount : got >= amount, what).to.equal(true);
      } else {
        // What is not quoted fails, or is a buy of which the program fills a part.
        count(error === undefined ? 'in part' : 'refused');
        if (error === undefined) expect(buys && given < amount && token.status === 2, what).to.equal(true);
      }
      if (token.status === 1) continue;
      count('graduated');
      trading = trading.filter((other) => other !== token);
      for (const pool of ['waits', 'open']) {
        if (pool === 'open') expect(world.send(token.keys.graduate[0]!)).to.equal(undefined);
        expect(await ask(order)).to.deep.equal({ error: 'the market is not active' });
        expect(sendUnquoted(world, order), pool).to.equal(TRADING_CLOSED);
      }
    }
    console.log(`      ${JSON.stringify(seen)}`);
    expect(Object.keys(seen)).to.have.length(7);
  });
});

/** Fresh curves in the place of all accounts of before. */
function launch(world: World, random: Random): readonly TokenState[] {
  const spec = { ...USUAL_SPEC, feeBps: random.below(MAX_PLATFORM_FEE_BPS + 1), traderLamports: 10n ** 15n };
  world.reset(spec);
  expect(play(world, { is: 'settings', ...spec })).to.equal(undefined);
  world.tokens.forEach((_, token) =>
    expect(play(world, { is: 'create', token, trader: 0, afterMigrationFee: 100 })).to.equal(undefined),
  );
  return world.tokens;
}

/** A share of what is left or held, any magnitude, or all of it within some units. */
function randomOrder(world: World, random: Random, trading: readonly TokenState[]): Order {
  const token = trading[random.below(trading.length)]!;
  const trader = random.below(TRADER_KEYS.length);
  const held = world.amount(token.keys.held[trader]!);
  const [buys, exactIn] = [held === 0n || random.chance(55), random.chance(50)];
  const most = mostOf(token, world.settings!.feeBps, buys, exactIn, held);
  const kind = random.below(20);
  const wanted =
    kind === 0
      ? most + BigInt(random.below(5) - 2)
      : kind < 6
        ? random.magnitude() % (most + 1n)
        : random.shareOf(most / 8n + 1n);
  // A wallet sells what it has: the adapter does not know its tokens.
  const amount = buys || wanted < most ? wanted : most;
  return { token, trader, buys, exactIn, amount: amount < 0n ? 0n : amount };
}

/** The most that an order can be for: all that is left of the curve, or that the trader has. */
function mostOf(token: TokenState, feeBps: bigint, buys: boolean, exactIn: boolean, held: bigint): bigint {
  const { virtualSol, virtualToken } = token;
  if (buys)
    return exactIn
      ? amountOf({ is: 'rest', off: 0n }, true, token, feeBps, 0n)
      : virtualToken - GRADUATION_VIRTUAL_TOKEN;
  const sold = (virtualSol * held) / (virtualToken + held);
  return exactIn ? held : sold - (sold * feeBps + 9_999n) / 10_000n;
}

function request(world: World, { token: { keys }, trader, buys, exactIn, amount }: Order): object {
  const params = { mint: text(keys.mint), feeReceiver: text(FEE_RECEIVER) };
  const [sol, wallet] = [NATIVE_MINT_ADDRESS.toBase58(), TRADER_KEYS[trader]!];
  return {
    accounts: [keys.curve, PROPERTIES, keys.vault].map((key) => {
      const { lamports, owner, data, executable } = world.account(key)!;
      return {
        ...{ pubkey: text(key), lamports: Number(lamports), owner: text(keyOf(owner)), executable, params },
        ...{ data: [Buffer.from(data).toString('base64'), 'base64'], rentEpoch: 0 },
      };
    }),
    ...(buys ? { input: sol, output: params.mint } : { input: params.mint, output: sol }),
    ...{ swapMode: exactIn ? 'ExactIn' : 'ExactOut', amount: `${amount}` },
    ...{ wallet: text(wallet), tokens: text(keys.held[trader]!) },
    wrapped: WRAPPED_SOL[trader],
  };
}

const text = (key: Key): string => publicKeyOf(key).toBase58();

function route(world: World, { accounts, data }: Quoted): string | undefined {
  const metas = accounts.map(([address, isSigner, isWritable]) => ({
    ...{ key: keyOf(new PublicKey(address)), isSigner, isWritable },
  }));
  return world.send(throughCaller({ program: PROGRAM, metas, data: Uint8Array.from(data) }));
}

/** An instruction that asks for no minimum. */
function sendUnquoted(world: World, { token: { keys }, trader, buys, amount }: Order): string | undefined {
  const [wallet, held] = [publicKeyOf(TRADER_KEYS[trader]!), publicKeyOf(keys.held[trader]!)];
  return world.send(tradeCall(buys ? 'buy' : 'sell', keys.addressed, wallet, held, amount));
}

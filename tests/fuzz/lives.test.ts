// Random lives of a token on the built programs: at random moments, what `positionOf` says of each holder is compared with what a sale
// of all then pays.
import { expect } from 'chai';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  AMM,
  DEFAULT_DEPLOYMENT,
  decodeTradeRecord,
  fetchMarket,
  NATIVE_MINT_ADDRESS,
  positionOf,
  VALIDATE_LOG_RECORD_DATA_SIZE,
  type Market,
  type PoolSide,
} from '@curvekit/sdk';
import { PublicKey, type Connection } from '@solana/web3.js';
import { randomStream, type Random } from '../../scripts/random.js';
import { callOf, keyOf, publicKeyOf, type Call } from '../differential/call.js';
import { tradeCall } from '../differential/instructions.js';
import { Svm } from '../differential/svm.js';
import { tokenAccount } from '../differential/token-account.js';
import { calledPrograms } from '../differential/programs.js';
import { testedFiles } from './files.js';
import { ANY_STATE, keyNamed, ofGraduation, TOKENS, TRADER_KEYS, TRADERS } from './keys.js';
import { play } from './play.js';
import type { TokenState } from './state.js';
import { USUAL_SPEC, type Amount, type Step } from './steps.js';
import { NOW, TOKEN, World } from './world.js';

/** `LIVES=100000` makes a longer run, `LIVES_SEED` repeats one. */
const LIVES = Number(process.env['LIVES'] ?? 1_000);
const STEPS = 14;
const CHECKS_IN_PERCENT = 25;
const SOL = 1_000_000_000n;
const WEALTH = 300n * SOL;
const RENT = 5_000_000n;
const ANY_PRICE = { is: 'value', value: 0n } as const;
const WRAPPED = TRADER_KEYS.map((_, trader) => keyNamed(`wrapped SOL of ${trader}`));

/** Keeps the calls of each transaction: a trade's record is one of them. */
class RecordingWorld extends World {
  override run(transaction: Uint8Array): string | undefined {
    return this.observe(transaction).error?.replace(/ of .*/, '');
  }
}

class Life {
  readonly #start: readonly bigint[];
  readonly #sums = TRADER_KEYS.map(() => ({ tokenAmount: 0n, paid: 0n, received: 0n }));
  readonly #token: TokenState;

  constructor(
    private readonly svm: Svm,
    private readonly world: World,
    private readonly random: Random,
    private readonly checked: (what: string) => void,
  ) {
    const [token, feeBps] = [random.below(TOKENS), random.below(1_001)];
    svm.setTime(NOW);
    world.reset({ ...USUAL_SPEC, feeBps, traderLamports: WEALTH });
    const [mint, native] = [keyOf(NATIVE_MINT_ADDRESS), RENT];
    TRADER_KEYS.forEach((owner, trader) =>
      world.set(
        WRAPPED[trader]!,
        RENT + WEALTH,
        TOKEN,
        tokenAccount({ mint, owner, amount: WEALTH, native }),
      ),
    );
    this.#token = world.tokens[token]!;
    this.#play({ is: 'settings', ...USUAL_SPEC, feeBps });
    this.#play({ is: 'create', token: ANY_STATE + token, trader: 0, afterMigrationFee: 100 });
    this.#start = this.#wealth();
  }

  step(): void {
    const { random } = this;
    const [trader, token] = [random.below(TRADERS), this.#token.keys.index];
    const roll = random.below(100);
    const millionths = random.chance(10) ? 1_000_000 : random.below(1_000_001);
    if (this.#token.status === 2) this.#graduate(trader);
    else if (roll < 20)
      this.#play({ is: 'gift of tokens', token, trader, to: random.below(3 + TRADERS), millionths });
    else if (roll < 23) this.#play({ is: 'burn', token, trader, millionths });
    else if (roll < 26) this.#play({ is: 'settings', ...USUAL_SPEC, feeBps: random.below(1_001) });
    else if (roll < 70) this.#buy(trader, roll < 30);
    else this.#sell(trader, millionths);
  }

  /** Compares worth and profit of each holder with what a sale of all pays. */
  async check(): Promise<void> {
    const market = await this.#market();
    const wealth = this.#wealth();
    for (const [trader, sums] of this.#sums.entries()) {
      const amount = this.world.amount(this.#token.keys.held[trader]!);
      const { saleValue, profit, untraded } = positionOf(market, amount, sums);
      expect(untraded).to.equal(amount - sums.tokenAmount);
      const paid = amount === 0n ? undefined : this.#paidBy(this.#saleCall(trader, amount), trader);
      if (market.venue === 'graduating') {
        expect([saleValue, profit]).to.deep.equal(
          amount === 0n ? [0n, sums.received - sums.paid] : [null, null],
        );
        expect(paid).to.equal(undefined);
      } else {
        // The programs refuse a sale for nothing.
        expect(saleValue, `${amount} units in the ${market.venue}`).to.equal(paid ?? 0n);
        expect(profit).to.equal(wealth[trader]! + (paid ?? 0n) - this.#start[trader]!);
      }
      this.checked(amount === 0n ? 'nothing' : market.venue);
      if (untraded > 0n) this.checked('came');
      if (untraded < 0n) this.checked('left');
    }
  }

  /** What a call adds to the wallet, without leaving a trace. Undefined when it is refused. */
  #paidBy(call: Call, trader: number): bigint | undefined {
    return this.world.undoing(
      call.metas.map(({ key }) => key),
      () => {
        const before = this.#wealth()[trader]!;
        return this.world.send(call) === undefined ? this.#wealth()[trader]! - before : undefined;
      },
    );
  }

  #buy(trader: number, whole: boolean): void {
    const { random } = this;
    if (this.#token.status === 3) return this.#swap(trader, 'sol', random.shareOf(20n * SOL));
    const amount: Amount = whole
      ? { is: 'rest', off: 0n }
      : { is: 'value', value: random.chance(10) ? random.magnitude() % SOL : random.shareOf(20n * SOL) };
    this.#trade({ is: 'buy', token: this.#token.keys.index, trader, amount, minimum: ANY_PRICE });
  }

  #sell(trader: number, millionths: number): void {
    const held = this.world.amount(this.#token.keys.held[trader]!);
    if (this.#token.status === 3)
      return this.#swap(trader, 'token', (held * BigInt(millionths)) / 1_000_000n);
    const amount = { is: 'share', millionths } as const;
    this.#trade({ is: 'sell', token: this.#token.keys.index, trader, amount, minimum: ANY_PRICE });
  }

  /** Of what the program has recorded, as the index books it. */
  #trade(step: Extract<Step, { is: 'buy' | 'sell' }>): void {
    const place = { ...step, token: ANY_STATE + step.token };
    if (this.#play(place) !== undefined) return;
    const call = this.world.calls!.at(-1)!;
    const { isBuy, solAmount, tokenAmount } = decodeTradeRecord(call.subarray(VALIDATE_LOG_RECORD_DATA_SIZE));
    this.#book(step.trader, isBuy, solAmount, tokenAmount);
  }

  #swap(trader: number, input: PoolSide, amount: bigint): void {
    const held = this.#token.keys.held[trader]!;
    const before = { sol: this.#wealth()[trader]!, token: this.world.amount(held) };
    this.world.send(this.#swapCall(trader, input, amount));
    const tokens = this.world.amount(held);
    this.#token.held[trader] = tokens;
    const sol = this.#wealth()[trader]! - before.sol;
    const token = tokens - before.token;
    this.#book(trader, input === 'sol', sol < 0n ? -sol : sol, token < 0n ? -token : token);
  }

  #book(trader: number, isBuy: boolean, solAmount: bigint, tokenAmount: bigint): void {
    const sums = this.#sums[trader]!;
    sums.tokenAmount += isBuy ? tokenAmount : -tokenAmount;
    sums[isBuy ? 'paid' : 'received'] += solAmount;
  }

  #graduate(trader: number): void {
    expect(this.#play({ is: 'graduate', token: ANY_STATE + this.#token.keys.index, trader })).to.equal(
      undefined,
    );
    this.#token.status = 3;
    // The AMM opens a pool a second after its creation.
    this.svm.setTime(NOW + 10n);
  }

  #play(step: Step): string | undefined {
    return play(this.world, step);
  }

  #saleCall(trader: number, amount: bigint): Call {
    if (this.#token.status === 3) return this.#swapCall(trader, 'token', amount);
    const { addressed, held } = this.#token.keys;
    const [payer, from] = [publicKeyOf(TRADER_KEYS[trader]!), publicKeyOf(held[trader]!)];
    return tradeCall('sell', addressed, payer, from, amount);
  }

  #swapCall(trader: number, input: PoolSide, amountIn: bigint): Call {
    const { keys } = this.#token;
    const place = AMM.addresses(publicKeyOf(ofGraduation(keys, 'pool')), keys.addressed.mint);
    const accounts = [WRAPPED[trader]!, keys.held[trader]!].map(publicKeyOf) as [PublicKey, PublicKey];
    const [from, to] = input === 'sol' ? accounts : (accounts.toReversed() as [PublicKey, PublicKey]);
    const owner = publicKeyOf(TRADER_KEYS[trader]!);
    return callOf(AMM.swap(place, { owner, input, from, to, amountIn, minAmountOut: 0n }));
  }

  /** Lamports of each trader, wrapped ones too. */
  #wealth(): bigint[] {
    return TRADER_KEYS.map((key, trader) => this.world.lamports(key) + this.world.amount(WRAPPED[trader]!));
  }

  async #market(): Promise<Market> {
    const accountOf = (address: PublicKey) => {
      const account = this.world.account(keyOf(address));
      if (account === undefined || account.lamports === 0n) return null;
      const { lamports, owner, data } = account;
      return {
        lamports: Number(lamports),
        owner: new PublicKey(owner),
        data: Buffer.from(data),
        executable: false,
      };
    };
    const connection = {
      rpcEndpoint: 'http://svm',
      getAccountInfoAndContext: () => Promise.reject(new Error('is not expected')),
      getMultipleAccountsInfoAndContext: (addresses: readonly PublicKey[]) =>
        Promise.resolve({ context: { slot: 1 }, value: addresses.map(accountOf) }),
    };
    return (await fetchMarket(connection as unknown as Connection, this.#token.keys.addressed.mint))!;
  }
}

describe('the worth and profit of a position', function () {
  this.timeout(LIVES * 1_000);
  const seed = Number(process.env['LIVES_SEED'] ?? randomInt(2 ** 30));

  it(`Given ${LIVES} random lives of seed ${seed}, when each holder sells all at random moments, then it gets what was said, to the lamport`, async () => {
    const { curve, graduation, amms } = testedFiles();
    const called = await calledPrograms();
    const { programId, graduation: graduating } = DEFAULT_DEPLOYMENT;
    const worlds = amms.slice(0, -1).map((amm) => {
      const programs = [
        [programId, curve],
        [graduating.programId, graduation],
        [AMM.programId, amm],
      ] as const;
      const svm = new Svm([
        ...called,
        ...programs.map(([address, file]) => ({ key: keyOf(address), binary: readFileSync(file) })),
      ]);
      return { svm, world: new RecordingWorld([svm], true) };
    });
    const tally = new Map<string, number>();
    const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);
    for (let number = 0; number < LIVES; number += 1) {
      const random = randomStream(seed, number);
      const { svm, world } = worlds[random.below(worlds.length)]!;
      const life = new Life(svm, world, random, count);
      for (let step = 0; step < STEPS; step += 1) {
        life.step();
        if (random.chance(CHECKS_IN_PERCENT)) await life.check();
      }
      await life.check();
    }
    for (const what of ['curve', 'graduating', 'pool', 'came', 'left', 'nothing'])
      expect(tally.get(what) ?? 0, what).to.be.at.least(LIVES / 20);
  });
});

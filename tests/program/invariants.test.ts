// Checks the program's invariants over many random steps: several tokens and wallets, donations, changed properties,
// trades at and beyond every limit, graduations and migrations. Each step is a real transaction, and the test reads
// every account after it. SEED repeats a run, STEPS makes it longer.
import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  applyRecord,
  expectedAccount,
  GRADUATION_VIRTUAL_TOKEN,
  TOKEN_OWNER_DATA_SIZE,
  TOKEN_SUPPLY,
  type CurveHistory,
  type CurveRecord,
} from '@curvekit/sdk';
import { rentOf } from '#tests/cluster/accounts.js';
import { CLUSTER, useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { Launchpad, type Observation, type TokenView } from '#tests/program/launchpad.js';
import { randomStep, type Step } from '#tests/arbitraries/random-steps.js';

const SEED = Number(process.env['SEED'] ?? randomInt(2 ** 31));
/** A validator takes half a second for a step, Surfpool a few milliseconds. */
const STEPS = Number(process.env['STEPS'] ?? (CLUSTER === 'surfpool' ? 300 : 60));
const MOST_MS_PER_STEP = 3_000;

const WALLETS = 4;
/** Enough for the first wallet to graduate every curve at the end. */
const WALLET_LAMPORTS = 50_000_000_000_000n;
const WHOLE_CURVE_LAMPORTS = 1_000_000_000_000n;

const trade = { wallet: 0, minimum: 'quoted' } as const;

/** Steps of every run, whatever the seed. */
const FIRST_STEPS: readonly Step[] = [
  { kind: 'launch' },
  { kind: 'launch' },
  { kind: 'launch' },
  { kind: 'migrate', token: 0 },
  { kind: 'buy', token: 0, ...trade, solToSpend: 5_000_000_000n },
  { kind: 'buy', token: 0, ...trade, solToSpend: 5_000_000_000n, minimum: 'above' },
  { kind: 'sell', token: 0, ...trade, shareBp: 5_000 },
  { kind: 'sell', token: 0, ...trade, shareBp: 15_000 },
];
const lastSteps = (token: number): Step[] => [
  { kind: 'buy', token, ...trade, solToSpend: WHOLE_CURVE_LAMPORTS },
  { kind: 'buy', token, ...trade, solToSpend: 1_000_000_000n },
  { kind: 'sell', token, ...trade, shareBp: 10_000 },
  { kind: 'migrate', token },
  { kind: 'migrate', token },
  { kind: 'sell', token, ...trade, shareBp: 10_000 },
];

describe(`the launchpad over ${STEPS} random steps (SEED=${SEED})`, function () {
  const cluster = useKeyHeldCluster();
  const trace: Observation[] = [];
  let rent: bigint;

  before('take the steps', async function () {
    this.timeout(60_000 + STEPS * MOST_MS_PER_STEP);
    rent = await rentOf(cluster().connection, TOKEN_OWNER_DATA_SIZE);
    const wallets = await cluster().fundedWallets(WALLETS, WALLET_LAMPORTS);
    const launchpad = new Launchpad(cluster(), wallets);
    const random = fc.sample(randomStep, { seed: SEED, numRuns: STEPS });
    for (const step of [...FIRST_STEPS, ...random]) trace.push(await launchpad.run(step));
    for (const token of trace.at(-1)!.after.tokens.keys()) {
      for (const step of lastSteps(token)) trace.push(await launchpad.run(step));
    }
  });

  /** Calls `check` for each step, with a description of the step for the failure message. */
  function eachStep(check: (observation: Observation, told: string) => void): void {
    for (const [index, observation] of trace.entries()) {
      const { step, refusal } = observation;
      const told = JSON.stringify(step, (_, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      );
      check(observation, `step ${index} ${told}${refusal === undefined ? '' : ` (${refusal})`}`);
    }
  }

  const isMigrated = ({ state }: TokenView): boolean => state.initialized === 3;
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

  it('the steps include trades, graduations, migrations and every error of a trade', () => {
    const done = trace.filter(({ refusal }) => refusal === undefined).map(({ step }) => step.kind);
    expect(done).to.include.members(['launch', 'buy', 'sell', 'migrate']);
    const refusals = trace.map(({ refusal }) => refusal);
    expect(refusals).to.include.members([
      '6001 TradingClosed',
      '6002 NotReadyToMigrate',
      '6003 SlippageError',
      '6005 LogicalError',
      'Token 1',
    ]);
    expect(trace.some(({ records: [record] }) => record?.kind === 'trade' && record.data.finalized)).to.equal(
      true,
    );
  });

  it('invariant 1: the product of the reserves never decreases', () => {
    eachStep(({ before, after }, told) => {
      for (const [index, { state }] of before.tokens.entries()) {
        const { virtualSol, virtualToken } = after.tokens[index]!.state;
        const grown = virtualSol * virtualToken - state.virtualSol * state.virtualToken;
        expect(grown >= 0n, told).to.equal(true);
      }
    });
  });

  it('invariant 3: a curve holds the rent of its creation, the SOL above its initial reserve, and donations', () => {
    const initial = new Map<number, bigint>();
    const donated = new Map<number, bigint>();
    eachStep(({ step, token, refusal, after }, told) => {
      if (step.kind === 'donateSol') donated.set(token!, (donated.get(token!) ?? 0n) + step.lamports);
      if (step.kind === 'migrate' && refusal === undefined) donated.set(token!, 0n);
      for (const [index, view] of after.tokens.entries()) {
        const { virtualSol } = view.state;
        if (!initial.has(index)) initial.set(index, virtualSol);
        const sold = isMigrated(view) ? 0n : virtualSol - initial.get(index)!;
        expect(sold >= 0n, told).to.equal(true);
        expect(view.curveLamports >= rent + sold, told).to.equal(true);
        expect(view.curveLamports, told).to.equal(rent + sold + (donated.get(index) ?? 0n));
      }
    });
  });

  it('invariant 4: vault and circulating tokens add up to the supply, and the vault covers the tokens still for sale', () => {
    eachStep(({ after }, told) => {
      for (const view of after.tokens) {
        const circulating = sum(view.walletTokens) + view.feeTokens;
        expect(view.supply, told).to.equal(TOKEN_SUPPLY);
        expect(view.vaultTokens + circulating, told).to.equal(TOKEN_SUPPLY);
        const owed = view.state.virtualToken - GRADUATION_VIRTUAL_TOKEN;
        expect(view.vaultTokens >= owed, told).to.equal(true);
      }
    });
  });

  it('invariant 7: a curve is finalized exactly when it is at the graduation reserve, and then refuses trades', () => {
    eachStep(({ step, token, refusal, before, after }, told) => {
      for (const [index, { state }] of after.tokens.entries()) {
        const atReserve = state.virtualToken === GRADUATION_VIRTUAL_TOKEN;
        expect(state.initialized > 1, told).to.equal(atReserve);
        const from = before.tokens[index]?.state.initialized ?? 1;
        if (state.initialized === from) continue;
        const cause = { 2: 'buy', 3: 'migrate' }[state.initialized];
        expect([step.kind, token, state.initialized], told).to.deep.equal([cause, index, from + 1]);
      }
      const isTrade = step.kind === 'buy' || step.kind === 'sell';
      if (isTrade && before.tokens[token!]!.state.initialized > 1) {
        expect(refusal, told).to.equal('6001 TradingClosed');
        expect(after, told).to.deep.equal(before);
      }
    });
  });

  it('invariant 8: a migration moves all SOL and tokens, once', () => {
    const migrated = new Set<number>();
    eachStep(({ step, token, refusal, before, after }, told) => {
      if (step.kind !== 'migrate' || refusal !== undefined) return;
      expect(migrated.has(token!), told).to.equal(false);
      migrated.add(token!);
      const [from, to] = [before.tokens[token!]!, after.tokens[token!]!];
      expect(to, told).to.deep.equal({
        ...from,
        state: { ...from.state, initialized: 3 },
        curveLamports: rent,
        vaultTokens: 0n,
        feeTokens: from.feeTokens + from.vaultTokens,
      });
      expect(after.feeLamports - before.feeLamports, told).to.equal(from.curveLamports - rent);
    });
    expect(migrated.size).to.equal(trace.at(-1)!.after.tokens.length);
  });

  it('invariant 9: each change has one equal record, and the records rebuild every curve', () => {
    const histories = new Map<number, CurveHistory>();
    eachStep((observation, told) => {
      const { step, token, refusal, records, after } = observation;
      const changes = ['launch', 'buy', 'sell', 'migrate'].includes(step.kind) && refusal === undefined;
      expect(records.length, told).to.equal(changes ? 1 : 0);
      const [record] = records;
      if (record !== undefined) {
        const index = token ?? after.tokens.length - 1;
        const { timestamp, ...content } = record.data;
        expect(timestamp > 0n, told).to.equal(true);
        expect(content, told).to.deep.include(changeOf(observation, index, record.kind));
        histories.set(index, applyRecord(histories.get(index), record));
      }
      for (const [index, { state }] of after.tokens.entries()) {
        expect(expectedAccount(histories.get(index)!), told).to.deep.equal(state);
      }
    });
  });

  it('invariant 10: results and refusals of the program equal those of the SDK, to the base unit', () => {
    eachStep(({ step, token, wallet, before, after, forecast, refusal }, told) => {
      const refused = forecast !== undefined && 'refusal' in forecast ? forecast.refusal : undefined;
      expect(refusal, told).to.equal(refused);
      if (refused !== undefined) {
        expect(after, told).to.deep.equal(before);
        return;
      }
      if (forecast === undefined || (step.kind !== 'buy' && step.kind !== 'sell')) return;
      const [from, to] = [before.tokens[token!]!, after.tokens[token!]!];
      const moved = {
        virtualSol: to.state.virtualSol,
        virtualToken: to.state.virtualToken,
        curve: to.curveLamports - from.curveLamports,
        wallet: after.walletLamports[wallet]! - before.walletLamports[wallet]!,
        fee: after.feeLamports - before.feeLamports,
        tokens: to.walletTokens[wallet]! - from.walletTokens[wallet]!,
        vault: to.vaultTokens - from.vaultTokens,
        initialized: to.state.initialized,
      };
      if ('buy' in forecast) {
        const { tokenOut, net, fee, virtualSol, virtualToken, graduates } = forecast.buy;
        expect(moved, told).to.deep.equal({
          virtualSol,
          virtualToken,
          curve: net,
          wallet: -net - fee,
          fee,
          tokens: tokenOut,
          vault: -tokenOut,
          initialized: graduates ? 2 : 1,
        });
      } else if ('sell' in forecast) {
        const { gross, fee, solOut, virtualSol, virtualToken } = forecast.sell;
        const sold = virtualToken - from.state.virtualToken;
        expect(moved, told).to.deep.equal({
          virtualSol,
          virtualToken,
          curve: -gross,
          wallet: solOut,
          fee,
          tokens: -sold,
          vault: sold,
          initialized: 1,
        });
      }
      // No tokens of other wallets, and no other token, have moved.
      for (const [index, other] of before.tokens.entries()) {
        const view = after.tokens[index]!;
        if (index !== token) expect(view, told).to.deep.equal(other);
        const others = (tokens: readonly bigint[]): readonly bigint[] =>
          tokens.filter((_, at) => at !== wallet);
        expect(others(view.walletTokens), told).to.deep.equal(others(other.walletTokens));
      }
    });
  });
});

/** The expected record, computed from the chain state before and after. */
function changeOf(
  { wallet, before, after, step }: Observation,
  index: number,
  kind: CurveRecord['kind'],
): object {
  const to = after.tokens[index]!;
  const { mint, state } = to;
  const { virtualSol, virtualToken } = state;
  const fee = after.feeLamports - before.feeLamports;
  if (kind === 'create') {
    const { platformFeeBps } = after.properties;
    return { mint, virtualSol, virtualToken, platformFeeBps, afterMigrationFee: state.afterMigrationFee };
  }
  const from = before.tokens[index]!;
  if (kind === 'migrate') return { mint, solAmount: fee, tokenAmount: from.vaultTokens - to.vaultTokens };
  const isBuy = step.kind === 'buy';
  const sign = isBuy ? 1n : -1n;
  return {
    mint,
    isBuy,
    solAmount: sign * (before.walletLamports[wallet]! - after.walletLamports[wallet]!),
    tokenAmount: sign * (from.vaultTokens - to.vaultTokens),
    fee,
    virtualSol,
    virtualToken,
    finalized: state.initialized === 2,
  };
}

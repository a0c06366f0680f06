// A new user runs the demo first. It must show the whole life of a token, and notice when records and chain differ.
import { spawnSync } from 'node:child_process';
import { curveAddress, fetchCurveState, quoteBuy } from '@curvekit/sdk';
import { expect } from 'chai';
import { compareWithChain } from '../../demo/comparison.js';
import { runLaunch } from '../../demo/crowd.js';
import { Launch } from '../../demo/launch.js';
import { parseOptions } from '../../demo/options.js';
import { refusedStep, type Step } from '../../demo/step.js';
import { rejection } from '#tests/mocha/failures.js';
import { useCluster } from '#tests/cluster/cluster.js';

const IDENTITY = { name: 'Demo', symbol: 'DEMO', uri: 'https://curvekit.example/demo.json' };
const ONE_SOL = 1_000_000_000n;

function runDemo(...args: string[]) {
  const options = { encoding: 'utf8', timeout: 50_000 } as const;
  return spawnSync(process.execPath, ['--import=tsx', 'demo/main.ts', ...args], options);
}

describe('demo', () => {
  const cluster = useCluster();

  async function tradedLaunch(): Promise<{ launch: Launch; last: Step }> {
    const [creator, trader] = await cluster().fundedWallets(2);
    const launch = new Launch(cluster(), IDENTITY);
    await launch.create({ name: 'creator', wallet: creator! });
    const last = await launch.buy(
      { name: 'trader', wallet: trader! },
      quoteBuy(await launch.state(), ONE_SOL),
    );
    return { launch, last };
  }

  it('Given no arguments, when it runs, then the token graduates, its pool trades, and records and chain are equal', () => {
    const { status, stdout, stderr } = runDemo('--json');
    expect(status, stderr).to.equal(0);
    const told = JSON.parse(stdout) as {
      equal: boolean;
      records: number;
      steps: Step[];
      checks: { what: string; fromRecords: string; onChain: string }[];
    };
    expect(told.equal).to.equal(true);
    expect(told.records).to.equal(10);
    expect(told.steps.flatMap(({ refusal }) => refusal?.code ?? [])).to.deep.equal([
      6003, 6001, 6004, 6004, 6004, 6000,
    ]);
    expect(told.steps.map(({ progressBps }) => progressBps)).to.include(10_000);
    expect(told.steps.slice(-2).map(({ title }) => title)).to.deep.equal([
      'passer-by graduates it',
      'dave buys',
    ]);
    expect(told.checks).to.have.length(19);
    for (const { what, fromRecords, onChain } of told.checks) expect(fromRecords, what).to.equal(onChain);
  });

  it('Given no --json, when it runs, then every line of its tables fits 140 columns', () => {
    const { status, stdout, stderr } = runDemo();
    expect(status, stderr).to.equal(0);
    expect(stdout).to.match(/\nequal: 10 records and the chain, in 19 values \(\d+\.\d s\)\n$/);
    expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).to.be.at.most(140);
  });

  it('Given invalid options, when it runs, then it names the option and exits with code 2', () => {
    const nonsense: [string[], string][] = [
      [['--tokens', '0'], '--tokens'],
      [['--tokens', '1.5'], '--tokens'],
      [['--tokens', '2', '--seed', '-1'], '--seed'],
      [['--seed', '1'], '--seed'],
      [['--cluster', 'mainnet'], '--cluster'],
      [['--colour'], '--colour'],
    ];
    for (const [args, option] of nonsense) {
      expect(() => parseOptions(args), args.join(' ')).to.throw(option);
    }
    const { status, stderr } = runDemo('--tokens', '0');
    expect(status).to.equal(2);
    expect(stderr).to.contain("--tokens is '0'; it must be a whole number from 1 to 1000");
  });

  it('Given a curve that received one lamport as a donation, when compared, then records and chain differ by one lamport', async () => {
    const { launch, last } = await tradedLaunch();
    const before = await compareWithChain(cluster(), launch.mint, last.signature!);
    expect(before.equal).to.equal(true);

    await cluster().fund(curveAddress(launch.mint).address, 1n);

    const after = await compareWithChain(cluster(), launch.mint, last.signature!);
    expect(after.equal).to.equal(false);
    const different = after.checks.filter(({ fromRecords, onChain }) => fromRecords !== onChain);
    expect(different.map(({ fromRecords, onChain }) => onChain - fromRecords)).to.deep.equal([1n]);
  });

  it('Given a trade that must be refused, when the trade succeeds, then the demo fails', async () => {
    const { launch } = await tradedLaunch();
    const buyer = { name: 'trader', wallet: await cluster().fundedWallet() };
    const buy = launch.buy(
      buyer,
      quoteBuy((await fetchCurveState(cluster().connection, launch.mint))!, ONE_SOL),
    );
    const error = await rejection(refusedStep(cluster(), 'late', 'TradingClosed', buy), Error);
    expect(error.message).to.contain('went through');
  });

  it('Given a seed, when a launch is run twice, then both tokens get the same trades', async () => {
    const runs = [await runLaunch(cluster(), 3, 1), await runLaunch(cluster(), 3, 1)];
    const [first, second] = runs.map(({ steps }) =>
      steps.map(({ title, outcome, platformFee, price, progressBps }) => ({
        title,
        outcome,
        platformFee,
        price,
        progressBps,
      })),
    );
    expect(first).to.have.length.greaterThan(8);
    expect(second).to.deep.equal(first);
  });
});

// What trade(), launch(), claim() and sendAndConfirm() say is what the chain says, however nodes and wallets fail, and one
// intent is signed again only when the earlier transaction can no longer count. 20,000 random schedules on a model of a
// cluster, in virtual time, with the requests and answers of a real cluster.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { buy, prepareTransaction } from '@curvekit/sdk';
import { launch, trade } from '@curvekit/sdk/trade';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { FLAVOURS } from '#tests/kit/flavours.js';
import { launch as launchToken } from '#tests/program/tokens.js';
import {
  buying,
  claiming,
  launching,
  sending,
  SPENT,
  TERMS,
  type Library,
} from '#tests/schedules/intents.js';
import { record, type Recording } from '#tests/schedules/recording.js';
import { runSchedule, type Told, type World } from '#tests/schedules/schedules.js';

/** The first seed: another one gives other schedules. */
const SEED = Number(process.env['SCHEDULES_SEED'] ?? 1);
const SCHEDULES = Number(process.env['SCHEDULES'] ?? 20_000);
const of = (count: number) => Math.ceil((count * SCHEDULES) / 20_000);

describe('what callers are told, on nodes and with wallets that fail', function () {
  this.timeout(600_000);
  const cluster = useCluster();
  let wallet: Keypair;
  let mint: Keypair;
  let bought: Recording;
  let launched: Recording;
  let token: Awaited<ReturnType<typeof launchToken>>;
  let template: Uint8Array;

  // web3.js throws and catches so many errors that their stacks would take a fifth of the time. A seed repeats a schedule.
  const { stackTraceLimit } = Error;
  before(() => (Error.stackTraceLimit = 0));
  after(() => (Error.stackTraceLimit = stackTraceLimit));

  before(async () => {
    wallet = await cluster().fundedWallet(20n * SOL);
    mint = Keypair.generate();
    token = await launchToken(cluster());
    const instructions = buy({
      ...{ mint: token.mint, payer: wallet.publicKey, solToSpend: SPENT, minTokenToReceive: 0n },
    });
    const parts = { payer: wallet.publicKey, instructions, computeUnitLimit: 200_000, computeUnitPrice: 0n };
    const { transaction } = await prepareTransaction(cluster().connection, parts);
    template = transaction.serialize();
    const common = { wallet, computeUnitPrice: 0n };
    const { rpcUrl } = cluster();
    bought = await record(rpcUrl, (node) => trade(node, { ...common, mint: token.mint, solToSpend: SPENT }));
    launched = await record(rpcUrl, (node) => launch(node, { ...common, ...TERMS, mint }));
  });

  /** Runs schedules, and checks that each kind of end is among them. */
  async function run(
    count: number,
    recording: Recording,
    intent: (world: World) => Promise<Told>,
    ends: readonly Told['kind'][] = ['succeeded', 'nothing', 'unknown'],
  ): Promise<void> {
    const seen = new Map<Told['kind'], number>();
    for (let seed = SEED; seed < SEED + count; seed += 1) {
      const kind = await runSchedule(seed, recording, intent);
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
    // Fewer can lack one by chance.
    if (count < 100) return;
    for (const end of ends) expect(seen.get(end) ?? 0, `${end} of ${count}`).to.be.greaterThan(0);
  }

  it(`by claim(), ${of(1_000)} times`, () =>
    run(of(1_000), bought, claiming(template), ['succeeded', 'nothing']));

  for (const [index, [name, load]] of FLAVOURS.entries()) {
    const share = [1, 0.25, 0.75][index]!;
    describe(`with ${name}`, () => {
      let library: Library;
      before(async () => (library = { name, flavour: await load() }));

      it(`by sendAndConfirm(), ${of(5_500 * share)} times`, () =>
        run(of(5_500 * share), bought, sending(library, template), ['succeeded', 'nothing']));
      it(`by trade(), ${of(3_000 * share)} times`, () =>
        run(of(3_000 * share), bought, buying(library, wallet.publicKey, token.mint)));
      it(`by launch(), ${of(1_000 * share)} times`, () =>
        run(of(1_000 * share), launched, launching(library, wallet.publicKey, mint)));
    });
  }
});

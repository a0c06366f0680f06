// What trade(), launch(), claim() and sendAndConfirm() say is what the chain says, however nodes and wallets fail, and one
// intent is signed again only when the earlier transaction can no longer count. 20,000 random schedules on a model of a
// cluster, in virtual time, with the requests and answers of a real cluster.
import { Keypair } from '@solana/web3.js';
import type { Address } from '@solana/kit';
import { expect } from 'chai';
import type { Plugin } from 'esbuild';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buy, prepareTransaction, sendAndConfirm } from '@curvekit/sdk';
import { RewardsClient } from '@curvekit/sdk/rewards';
import { launch, lookUpRemembered, trade } from '@curvekit/sdk/trade';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { importBundled } from '#tests/kit/bundled.js';
import { KIT_MAJORS, kitTrading } from '#tests/kit/kit-entry.js';
import { launch as launchToken } from '#tests/program/tokens.js';
import { buying, claiming, launching, sending, SPENT, TERMS, type Sdk } from '#tests/schedules/intents.js';
import { buyingWithKit, launchingWithKit, sendingWithKit } from '#tests/schedules/kit-intents.js';
import { record, type Recording } from '#tests/schedules/recording.js';
import { runSchedule, type Told, type World } from '#tests/schedules/schedules.js';

const SDK: Sdk = { launch, lookUpRemembered, RewardsClient, sendAndConfirm, trade };
/** The first seed: another one gives other schedules. */
const SEED = Number(process.env['SCHEDULES_SEED'] ?? 1);
/** How many schedules. */
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
  before(() => {
    Error.stackTraceLimit = 0;
  });
  after(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

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
    isHarsh = false,
  ): Promise<void> {
    const seen = new Map<Told['kind'], number>();
    for (let seed = SEED; seed < SEED + count; seed += 1) {
      const kind = await runSchedule(seed, recording, intent, isHarsh);
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
    // Fewer can lack one by chance.
    if (count < 100) return;
    for (const end of ends) expect(seen.get(end) ?? 0, `${end} of ${count}`).to.be.greaterThan(0);
  }

  it(`by sendAndConfirm(), ${of(6_000)} times`, () =>
    run(of(6_000), bought, sending(SDK, template), ['succeeded', 'nothing']));
  it(`by trade(), ${of(4_000)} times`, () =>
    run(of(4_000), bought, buying(SDK, wallet.publicKey, token.mint)));
  it(`by launch(), ${of(1_000)} times`, () =>
    run(of(1_000), launched, launching(SDK, wallet.publicKey, mint)));
  it(`by claim(), ${of(1_000)} times`, () =>
    run(of(1_000), bought, claiming(SDK, template), ['succeeded', 'nothing']));

  for (const [major, share] of [
    [KIT_MAJORS[0], 0.25],
    [KIT_MAJORS[1], 0.75],
  ] as const) {
    it(`with ${major}, ${of(8_000 * share)} times`, async () => {
      const kit = await kitTrading(major);
      const address = wallet.publicKey.toBase58() as Address;
      const mints = [token.mint, mint.publicKey].map((key) => key.toBase58() as Address) as [
        Address,
        Address,
      ];
      await run(of(4_000 * share), bought, sendingWithKit(kit, template), ['succeeded', 'nothing']);
      await run(of(3_200 * share), bought, buyingWithKit(kit, address, mints[0]));
      await run(of(800 * share), launched, launchingWithKit(kit, address, mints[1]));
    });
  }

  for (const [bug, file, good, bad] of [
    [
      'a late refusal of the first attempt counts although another one was sent',
      'landing/send-and-confirm.ts',
      'if (!isSentAgain) refusal =',
      'refusal =',
    ],
    [
      'any JSON-RPC error of a node counts as its refusal',
      'landing/refusal.ts',
      'return isRefusal === true ||',
      'return isRefusal !== true ||',
    ],
    [
      'one node’s refusal counts for all',
      'trade/follow.ts',
      'throw reasons.find((reason) => refusalIn(reason) === undefined) ?? reasons[0];',
      'throw reasons[0];',
    ],
    [
      'a wallet that fails has sent nothing',
      'trade/ask-to-send.ts',
      'if (isDeclined(error))',
      'if (Boolean(error))',
    ],
    [
      'a transaction has expired when its last block is not finalized yet',
      'landing/look.ts',
      "connection.getEpochInfo('finalized')",
      "connection.getEpochInfo('finalized').then((epoch) => ({ ...epoch, blockHeight: epoch.blockHeight! + 60 }))",
    ],
  ] as const) {
    it(`finds the bug that ${bug}`, async () => {
      const broken = (await withBug(file, good, bad)) as Sdk;
      let found: Error | undefined;
      for (const intent of [sending(broken, template), buying(broken, wallet.publicKey, token.mint)])
        found ??= await run(12_000, bought, intent, [], true).then(
          () => undefined,
          (error: unknown) => error as Error,
        );
      expect(found?.message).to.match(/^seed \d+: expected/);
    });
  }
});

const SOURCES = fileURLToPath(new URL('../../sdk/src/', import.meta.url));
const ENTRIES = ['index.ts', 'trade/index.ts', 'http/rewards.ts'];

/**
 * A refusal because of an unknown blockhash, which the nodes here make most of the time, is avoided by the slot that a node
 * must have reached, and believed only at the end of the blockhash. That would hide the bugs about refusals, so the altered SDK
 * does neither. That alone is no bug.
 */
const BELIEVES_AT_ONCE = [
  ['landing/send-and-confirm.ts', '/blockhash ?not ?found/i.test(refusal.reason)', 'false'],
  ['landing/send-and-confirm.ts', 'skip || blockhashSlot === undefined ? {}', 'true ? {}'],
] as const;

/** The SDK with one line of its source changed. */
function withBug(file: string, good: string, bad: string): Promise<unknown> {
  const plugin: Plugin = {
    name: 'bug',
    setup(build) {
      build.onLoad({ filter: /sdk\/src\/.*\.ts$/ }, async ({ path }) => {
        const changes = [[file, good, bad] as const, ...BELIEVES_AT_ONCE].filter(
          ([of]) => path === join(SOURCES, of),
        );
        if (changes.length === 0) return undefined;
        let contents = await readFile(path, 'utf8');
        for (const [of, right, wrong] of changes) {
          if (!contents.includes(right)) throw new Error(`${of} has no "${right}"`);
          contents = contents.replace(right, wrong);
        }
        return { contents, loader: 'ts' };
      });
    },
  };
  const entry = async (folder: string) => {
    const all = join(folder, 'all.ts');
    const paths = ENTRIES.map((name) => JSON.stringify(join(SOURCES, name)));
    await writeFile(all, paths.map((path) => `export * from ${path};\n`).join(''));
    return all;
  };
  return importBundled(entry, { packages: 'external', plugins: [plugin] });
}

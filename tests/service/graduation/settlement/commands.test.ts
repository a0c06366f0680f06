// The operator's commands `migrate` and `settle`, and `settle` after the DEX owner's key was changed.
import { AuthorityType, createSetAuthorityInstruction } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { bookFunding } from '#app/graduation/funding/fund-referrals.js';
import { SAMPLES } from '#app/graduation/settlement/periods/moments.js';
import { creditOf } from '#tests/database/ledger.js';
import type { Cli } from '#tests/service/cli.js';
import { settlingCli } from '#tests/service/cli-cluster.js';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { finalizeAll, keyVariable, whileFinalizing } from '#tests/service/service-context.js';
import { buyTokens, tokensOf, WHOLE_CURVE_LAMPORTS, type Token } from '#tests/program/tokens.js';

describe('curvekit migrate and settle', function () {
  this.timeout(240_000);
  const cluster = useKeyHeldCluster();
  const [treasury, fresh] = [Keypair.generate(), Keypair.generate()];
  let cli: Cli;
  let token: Token;
  let mint: string;

  before(async () => {
    ({ cli, token } = await settlingCli(cluster(), treasury, [fresh]));
    mint = token.mint.toBase58();
  });
  after(() => cli.close());

  for (const command of ['migrate', 'settle']) {
    it(`\`${command}\` explains itself, and refuses an invalid address with exit code 2`, async () => {
      const { exitCode, out } = await cli.run([command, '--help']);
      expect(exitCode).to.equal(0);
      expect(out).to.contain(`Usage: curvekit ${command}`).and.to.contain('--json');
      const invalid = await cli.run([command, 'nonsense']);
      expect(invalid.exitCode).to.equal(2);
      expect(invalid.err).to.contain('base58 address of 32 bytes');
    });

    it(`\`${command}\` refuses to work without its key, and for an unknown token`, async () => {
      const name = command === 'migrate' ? 'FEE_RECEIVER_KEYPAIR' : 'DEX_OWNER_KEYPAIR';
      const stranger = Keypair.generate().publicKey.toBase58();
      const [keyless, unknown] = [
        await cli.run([command, mint], { [name]: '' }),
        await cli.run([command, stranger]),
      ];
      expect([keyless.exitCode, unknown.exitCode]).to.deep.equal([1, 1]);
      expect(keyless.err).to.contain(`set ${name}`);
      expect(unknown.err)
        .to.contain(stranger)
        .and.match(/is not an? (indexed )?token of this launchpad/);
    });
  }

  it('`migrate` refuses a curve that still trades', async () => {
    const { exitCode, err } = await cli.run(['migrate', mint]);
    expect(exitCode).to.equal(1);
    expect(err).to.contain('still trades');
  });

  it('`migrate` moves the graduated curve and its contribution, once', async () => {
    await buyTokens(cluster(), token, cluster().payer, WHOLE_CURVE_LAMPORTS);
    const first = await whileFinalizing(cluster(), () =>
      cli.json<{ contributed: { sol: string }; transactions: string[] }>(['migrate', mint]),
    );
    expect(first.transactions).to.have.length(1);
    expect(String(await tokensOf(cluster().connection, token.communityWsolStorage.address))).to.equal(
      first.contributed.sol,
    );
    const { exitCode, out } = await cli.run(['migrate', mint]);
    expect(exitCode).to.equal(0);
    expect(out).to.contain('nothing was left to do').and.to.contain('(5%)');
  });

  it('`settle` reports what a settlement waits for, with exit code 1', async () => {
    const { exitCode, out } = await cli.run(['settle'], { TREASURY_KEYPAIR: '' });
    expect(exitCode).to.equal(1);
    expect(out).to.contain(`${mint} waits: the treasury has no key: set TREASURY_KEYPAIR`);
  });

  it('`settle` settles one token, and then has nothing to do', async () => {
    const { exitCode, out } = await whileFinalizing(cluster(), () => cli.run(['settle', mint]));
    expect(out).to.contain(mint);
    expect(exitCode).to.equal(0);
    expect(await tokensOf(cluster().connection, token.communityWsolStorage.address)).to.equal(0n);
    const again = await cli.run(['settle']);
    expect(again).to.deep.include({ exitCode: 0, out: 'Nothing was settled.' });
  });

  it('`settle MINT` says why nothing was settled, with exit code 0', async () => {
    await cluster().fund(token.communityWsolStorage.address, 10_000_000n);
    await finalizeAll(cluster());
    const small = `The storages of ${mint} hold 0.01 SOL and 0 tokens, together worth 0.01 SOL.`;
    const reason = `${small} They are settled from 0.1 SOL on (SETTLEMENT_MINIMUM_SOL).`;
    const { exitCode, out } = await cli.run(['settle', mint]);
    expect([exitCode, out]).to.deep.equal([0, `Nothing was settled. ${reason}`]);
    expect(await cli.json(['settle', mint])).to.include({ reason });
  });

  it('`settle` and `ledger check` say what trades have earned for others, and what fees back', async () => {
    const database = await cli.database();
    for (const wallet of ['one wallet', 'another one'])
      await creditOf(database, { wallet, mint, asset: 'SOL', amount: 30_000_000n }, 'volume');
    await database.transaction((tx) => bookFunding(tx, { signature: 'fees', amount: 40_000_000n, slot: 1 }));
    const volume = { kind: 'creator', wallets: 2, credited: '60000000', paid: '0', coveredOfAll: '40000000' };
    const said =
      '0.06 SOL credited by volume to 2 wallets (creator), 0 SOL of it paid; fees in the treasury back 0.04 SOL for all tokens';
    const { settlements } = await cli.json<{ settlements: object[] }>(['settle', mint]);
    expect(settlements).to.have.length(1);
    expect(settlements[0]).to.deep.include({ volume });
    expect((await cli.run(['settle', mint])).out).to.contain(`\n${mint}: ${said}`);
    const { totals } = await cli.json<{ totals: { origin: string; covered: string }[] }>(['ledger', 'check']);
    expect(totals.find(({ origin }) => origin === 'volume')).to.include({
      ...{ credited: '60000000', claimed: '0', covered: '40000000' },
    });
  });

  it('`settle --period` changes the period, and shows each sample', async () => {
    await cluster().fund(token.communityWsolStorage.address, 200_000_000n);
    const { exitCode, out, err } = await whileFinalizing(cluster(), () =>
      cli.run(['settle', mint, '--period', '2', '--json']),
    );
    expect(exitCode).to.equal(0);
    for (let taken = 1; taken <= SAMPLES; taken += 1)
      expect(err).to.contain(`${mint}: ${taken} of ${SAMPLES} samples of the holders`);
    const { settlements } = JSON.parse(out) as {
      settlements: { settlement: { periodMs: number }; samples: object[] }[];
    };
    expect(settlements[0]?.settlement.periodMs).to.equal(2_000);
    expect(settlements[0]?.samples).to.have.length(SAMPLES);
    for (const bad of ['0', '604801', '1.5']) {
      const refused = await cli.run(['settle', mint, '--period', bad]);
      expect(refused.exitCode).to.equal(2);
      expect(refused.err).to.contain('whole number from 1 to 604800');
    }
  });

  // As in "Change a key" of docs/keys.md.
  it("after the DEX owner's key was changed, `settle` refuses the old storages until they have the new owner", async () => {
    const [old, storages] = [
      cluster().dexOwner,
      [token.communityWsolStorage.address, token.communityTokenStorage.address],
    ];
    await cluster().fund(storages[0]!, 200_000_000n);
    const settle = () =>
      whileFinalizing(cluster(), () => cli.run(['settle', mint], { DEX_OWNER_KEYPAIR: keyVariable(fresh) }));
    const refused = await settle();
    expect(refused.exitCode).to.equal(1);
    expect(refused.err + refused.out).to.contain(`is owned by ${old.publicKey.toBase58()}`);
    // As `spl-token authorize STORAGE owner NEW` does.
    const instructions = storages.map((storage) =>
      createSetAuthorityInstruction(storage, old.publicKey, AuthorityType.AccountOwner, fresh.publicKey),
    );
    await cluster().send(instructions, [old]);
    const { exitCode, out, err } = await settle();
    expect(exitCode, out + err).to.equal(0);
    for (const storage of storages) expect(await tokensOf(cluster().connection, storage)).to.equal(0n);
    expect((await cli.run(['ledger', 'check'])).exitCode).to.equal(0);
  });
});

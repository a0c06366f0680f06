// The DEX owner's key is changed ("Change a key" in docs/keys.md): its storages get the new owner, and are settled with the new key.
import { AuthorityType, createSetAuthorityInstruction } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import type { Cli } from '#tests/service/cli.js';
import { settlingCli } from '#tests/service/cli-cluster.js';
import { keyVariable, whileFinalizing } from '#tests/service/service-context.js';
import { buyTokens, tokensOf, WHOLE_CURVE_LAMPORTS, type Token } from '#tests/program/tokens.js';

describe("a DEX owner's key that is changed", function () {
  this.timeout(240_000);
  const cluster = useKeyHeldCluster();
  const [treasury, fresh] = [Keypair.generate(), Keypair.generate()];
  let cli: Cli;
  let token: Token;

  before('pay a contribution into storages of the old key', async () => {
    ({ cli, token } = await settlingCli(cluster(), treasury, [fresh]));
    await buyTokens(cluster(), token, cluster().payer, WHOLE_CURVE_LAMPORTS);
    await whileFinalizing(cluster(), () => cli.json(['migrate', token.mint.toBase58()]));
  });
  after(() => cli.remove());

  const settle = () =>
    whileFinalizing(cluster(), () =>
      cli.run(['settle', token.mint.toBase58()], { DEX_OWNER_KEYPAIR: keyVariable(fresh) }),
    );

  it('settles what the old key held, once the storages have the new owner', async () => {
    const storages = [token.communityWsolStorage.address, token.communityTokenStorage.address];
    const old = cluster().dexOwner;
    const held = await tokensOf(cluster().connection, storages[0]!);
    expect(held > 0n).to.equal(true);
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

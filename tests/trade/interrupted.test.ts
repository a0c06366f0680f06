// Ctrl-C, and a node that stops answering, on a real cluster behind a proxy.
import { type Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { launch } from '#tests/program/tokens.js';
import { unpackTradeCli, type TradeCli } from '#tests/trade/program.js';

describe('curvekit-trade, interrupted', () => {
  const cluster = useCluster();
  let cli: TradeCli;
  let proxy: RpcProxy;
  let mint: string;
  let wallet: Keypair;

  before(async () => {
    [cli, proxy] = await Promise.all([unpackTradeCli(), startRpcProxy(cluster().rpcUrl)]);
    wallet = await cluster().fundedWallet(5n * SOL);
    mint = (await launch(cluster())).mint.toBase58();
    cli.environment['RPC_URL'] = proxy.url;
    cli.environment['KEYPAIR'] = await cli.keypairFile('id.json', wallet);
  });
  after(() => proxy?.stop());
  afterEach(() => proxy.rewrite(undefined));

  /** The node never answers calls of the method. @returns once one is asked */
  const hanging = (hangs: string) =>
    new Promise<void>((resolve) => {
      proxy.rewrite(({ method }, result) => {
        if (method !== hangs) return result;
        resolve();
        return new Promise(() => undefined);
      });
    });

  it('exits with 130 on Ctrl-C before sending: nothing was sent', async () => {
    const before = await cluster().connection.getBalance(wallet.publicKey);
    const asked = hanging('simulateTransaction');
    const command = cli.start('buy', mint, '--sol', '0.1');
    await asked;
    expect(await command.end('SIGINT')).to.equal(130);
    expect(await cluster().connection.getBalance(wallet.publicKey)).to.equal(before);
  });

  it('exits with 3 at once on Ctrl-C when the node hangs after sending, and names the signature to look up', async () => {
    const asked = hanging('getSignatureStatuses');
    const command = cli.start('buy', mint, '--sol', '0.1');
    await asked;
    const stoppedAt = performance.now();
    const ended = command.end('SIGINT');
    await command.untilSaid('may have landed: the caller stopped waiting for it');
    expect(await ended).to.equal(3);
    expect(performance.now() - stoppedAt).to.be.below(3_000);
  });
});

// `GET /v1/launchpad`, and clients that know nothing but the service's URL.
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { AMM, isProgramError, KEY_HELD_DEPLOYMENT, keypairWallet } from '@curvekit/sdk';
import { connectLaunchpad, WrongProgramError, type LaunchpadInfo } from '@curvekit/sdk/launchpad';
import { ConnectionError } from '@curvekit/sdk/market';
import { trade, WrongDeploymentError } from '@curvekit/sdk/trade';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { KIT_MAJORS, kitLaunchpad } from '#tests/kit/kit-entry.js';
import { rejection } from '#tests/mocha/failures.js';
import { serveHttp } from '#tests/node/serve.js';
import { useRewardsScene } from '#tests/service/rewards.js';

describe('a launchpad, known by the URL of its service', () => {
  const cluster = useCluster();
  /** Publishes its RPC node. */
  const scene = useRewardsScene(cluster, () => ({
    environment: { CLIENT_RPC_URL: cluster().rpcUrl, CLIENT_WS_URL: cluster().wsUrl },
  }));
  /** Publishes none, so its clients use `POST /rpc`. */
  const closed = useRewardsScene(cluster);

  const url = () => scene.service.url;
  const mint = () => new PublicKey(scene.mint);
  /** A wallet that must not be asked. */
  const untouched = (publicKey: PublicKey) => ({
    publicKey,
    signTransaction: () => Promise.reject(new Error('the wallet was asked to sign')),
  });

  it('publishes the programs, the authorities, the AMM, the nodes and the cluster, cacheable', async () => {
    const response = await fetch(`${url()}/v1/launchpad`);
    expect(response.headers.get('cache-control')).to.match(/^public, max-age=60/);
    const info = (await response.json()) as LaunchpadInfo;
    const { deployment, connection, rpcUrl, wsUrl } = cluster();
    expect(info).to.deep.include({
      genesisHash: await connection.getGenesisHash(),
      deployment: {
        programId: deployment.programId.toBase58(),
        admin: deployment.admin.toBase58(),
        feeReceiver: deployment.feeReceiver.toBase58(),
        dexOwner: deployment.dexOwner.toBase58(),
        graduation: {
          programId: deployment.graduation.programId.toBase58(),
          treasury: deployment.graduation.treasury.toBase58(),
        },
      },
      ...{ graduation: 'pool', isDevelopment: true, rpcUrl, wsUrl },
    });
    expect(info.amm.programId).to.equal(AMM.programId.toBase58());
    expect(info.version).to.match(/^\d+\.\d+\.\d+$/);
  });

  for (const which of ['its RPC node', 'the service as RPC node'] as const)
    it(`connectLaunchpad: a wallet trades through ${which}`, async () => {
      const { service } = which === 'its RPC node' ? scene : closed;
      const launchpad = await connectLaunchpad(service.url);
      const node = which === 'its RPC node' ? cluster().rpcUrl : `${service.url}/rpc`;
      expect(launchpad.connection.rpcEndpoint).to.equal(node);
      expect(launchpad.deployment).to.deep.equal(cluster().deployment);
      const { connection, deployment } = launchpad;
      const wallet = await cluster().fundedWallet(2n * SOL);
      const bought = await trade(connection, { wallet, mint: mint(), solToSpend: SOL / 10n, deployment });
      expect(bought.solAmount).to.equal(SOL / 10n);
      expect(await launchpad.rewards.rewards(keypairWallet(wallet))).to.deep.equal([]);
      const config = await launchpad.market.config();
      expect(config.deployment.programId).to.equal(deployment.programId.toBase58());
      expect(config).to.include({ graduation: 'pool', solUsd: null, solUsdAt: null, solUsdAge: null });
    });

  for (const major of KIT_MAJORS)
    it(`connectLaunchpad on ${major}: a wallet trades`, async () => {
      const kit = await kitLaunchpad(major);
      const { rpc, rpcSubscriptions, deployment, market } = await kit.connectLaunchpad(url());
      expect(rpcSubscriptions).not.to.equal(undefined);
      expect((await kit.connectLaunchpad(closed.service.url)).rpcSubscriptions).to.equal(undefined);
      const keypair = await cluster().fundedWallet(2n * SOL);
      const wallet = await createKeyPairSignerFromBytes(keypair.secretKey);
      const token = scene.mint as Parameters<typeof kit.trade>[1]['mint'];
      const bought = await kit.trade(rpc, { wallet, mint: token, solToSpend: SOL / 10n, deployment });
      expect(bought.solAmount).to.equal(SOL / 10n);
      expect((await market.config()).deployment.feeReceiver).to.equal(deployment.feeReceiver);
    });

  it('a wrong deployment is refused before the wallet is asked, with the right fee receiver', async () => {
    const { connection, deployment } = cluster();
    const { publicKey } = await cluster().fundedWallet(2n * SOL);
    const wallet = untouched(publicKey);
    const params = { wallet, mint: mint(), solToSpend: SOL / 10n };
    const wrong = { ...params, deployment: KEY_HELD_DEPLOYMENT };
    const error = await rejection(trade(connection, wrong), WrongDeploymentError);
    expect(isProgramError(error, 'WrongFeeReceiver')).to.equal(true);
    expect(error.feeReceiver).to.deep.equal(deployment.feeReceiver);
    expect(error.given).to.deep.equal(KEY_HELD_DEPLOYMENT.feeReceiver);
    expect(error.message)
      .to.contain(`the fee receiver of program ${deployment.programId.toBase58()} is`)
      .and.to.contain(`${deployment.feeReceiver.toBase58()}, you gave ${error.given.toBase58()}; use`)
      .and.to.contain('connectLaunchpad');
  });

  for (const major of KIT_MAJORS)
    it(`a wrong deployment on ${major} is the same error, with addresses`, async () => {
      const kit = await kitLaunchpad(major);
      const { rpc, deployment } = await kit.connectLaunchpad(url());
      const keypair = await cluster().fundedWallet(2n * SOL);
      const wallet = await createKeyPairSignerFromBytes(keypair.secretKey);
      const token = scene.mint as Parameters<typeof kit.trade>[1]['mint'];
      const feeReceiver = wallet.address;
      const wrong = { ...deployment, feeReceiver };
      const error = await kit
        .trade(rpc, { wallet, mint: token, solToSpend: SOL / 10n, deployment: wrong })
        .then(
          () => undefined,
          (failure: unknown) => failure,
        );
      expect(error).to.be.instanceOf(kit.WrongDeploymentError);
      expect(error).to.include({ given: feeReceiver, feeReceiver: deployment.feeReceiver });
      expect(await cluster().connection.getSignaturesForAddress(keypair.publicKey)).to.have.length(1);
    });

  it('a pinned program refuses a service that names another one, with every library', async () => {
    const { programId } = cluster().deployment;
    const other = KEY_HELD_DEPLOYMENT.feeReceiver;
    expect((await connectLaunchpad(url(), { programId })).info.deployment.programId).to.equal(
      programId.toBase58(),
    );
    const error = await rejection(connectLaunchpad(url(), { programId: other }), WrongProgramError);
    expect(error).to.include({ expected: other.toBase58(), named: programId.toBase58() });
    for (const major of KIT_MAJORS) {
      const kit = await kitLaunchpad(major);
      await kit.connectLaunchpad(url(), { programId: programId.toBase58() });
      const refused = kit.connectLaunchpad(url(), { programId: other.toBase58() });
      expect((await rejection(refused, Error)).message).to.equal(error.message);
    }
  });

  it('a URL that is no launchpad is named in the error', async () => {
    const server = await serveHttp((_, response) => response.end('<html>'));
    const error = await rejection(connectLaunchpad(server.url), ConnectionError);
    expect(error.message).to.contain('is this the service?');
    await server.stop();
  });
});

// A launchpad whose program takes 50 SOL from each wallet that calls it: no wallet signs for it.
import { Keypair, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { createDeployment, curveAddress, type Deployment } from '@curvekit/sdk';
import { CHEATING_CURVE } from '../../scripts/program/paths.js';
import { buildCheating } from '../../scripts/program/toolchain.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { failure, FLAVOURS } from '#tests/kit/flavours.js';
import { serveNode, type ServedNode } from '#tests/node/serve.js';
import { launch as launchToken } from '#tests/program/tokens.js';
import { unpackTradeCli, type TradeCli } from '#tests/trade/program.js';

const PROGRAM = Keypair.generate().publicKey;
const TERMS = { name: 'Bait', symbol: 'BAIT', uri: 'https://example.org/bait.json' };
const FOUND = /takes 50\.\d+ SOL from wallet \w+; the order allows at most 0\.\d+ SOL\. Nothing was signed\./;

describe('a launchpad whose program takes 50 SOL', () => {
  before('build it', () => buildCheating((line) => console.error(`      ${line}`)));
  const cluster = useCluster({ programs: [{ programId: PROGRAM, so: CHEATING_CURVE }] });
  let deployment: Deployment;
  let mint: PublicKey;
  let wallet: Keypair;
  let cli: TradeCli;
  let service: ServedNode;

  before('copy the accounts of a launchpad', async () => {
    const { connection, deployment: real } = cluster();
    const { admin, feeReceiver, dexOwner, graduation } = real;
    deployment = createDeployment({ programId: PROGRAM, admin, feeReceiver, dexOwner, graduation });
    ({ mint } = await launchToken(cluster()));
    for (const [from, to] of [
      [real.properties.address, deployment.properties.address],
      [curveAddress(mint, real).address, curveAddress(mint, deployment).address],
    ] as const) {
      const { data, lamports } = (await connection.getAccountInfo(from))!;
      await cluster().setAccount(to, { data, lamports: BigInt(lamports), owner: PROGRAM });
    }
    wallet = await cluster().fundedWallet(60n * SOL);
  });
  after(() => service?.stop());
  afterEach('nothing was taken', async () => {
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(60n * SOL);
  });

  for (const [name, load] of FLAVOURS.slice(0, 2))
    it(`${name} refuses a buy and a launch`, async () => {
      const library = await load();
      const node = library.client(cluster().rpcUrl);
      for (const attempt of [
        library.trade(node, { wallet, mint, solToSpend: SOL / 100n, deployment }),
        library.launch(node, { ...TERMS, wallet, deployment }),
      ]) {
        const error = await failure(attempt, 'ExcessiveLossError');
        expect(error.message).to.match(FOUND);
        expect(error['asset']).to.equal('SOL');
        expect((error['takes'] as bigint) > 50n * SOL && (error['allowed'] as bigint) < SOL / 10n).to.equal(
          true,
        );
        expect(String(error['programId'])).to.equal(PROGRAM.toBase58());
        expect(String(error['wallet'])).to.equal(wallet.publicKey.toBase58());
      }
    });

  describe('curvekit-trade, whose user has only the URL of the launchpad', () => {
    let named: PublicKey;
    let url: string;

    before(async () => {
      const { rpcUrl, wsUrl, connection } = cluster();
      const genesisHash = await connection.getGenesisHash();
      const [amm, version] = [{ programId: 'none', config: 'none' }, '0.0.0'];
      service = await serveNode((_, response) => {
        const info = {
          serviceName: 'bait',
          version,
          genesisHash,
          isDevelopment: true,
          graduation: 'pool',
          amm,
        };
        const { admin, feeReceiver, dexOwner, graduation } = deployment;
        const { programId, treasury } = graduation;
        const keys = { admin, feeReceiver, dexOwner, graduation: { programId, treasury } };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ ...info, deployment: { ...keys, programId: named }, rpcUrl, wsUrl }));
      });
      ({ url } = service);
      cli = await unpackTradeCli();
      cli.environment['KEYPAIR'] = await cli.keypairFile('id.json', wallet);
      cli.environment['LAUNCHPAD_URL'] = url;
    });

    it('refuses to buy', async () => {
      named = PROGRAM;
      const { code, out, err } = await cli.run('buy', mint.toBase58(), '--sol', '0.01');
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      expect(err).to.match(FOUND).and.not.to.include('signed     ');
    });

    it('keeps the program that a launchpad names first, and refuses another until the user names it', async () => {
      named = cluster().deployment.programId;
      const quote = ['quote', 'buy', mint.toBase58(), '--sol', '0.01', '--launchpad', `${url}/`];
      const moved = await cli.run(...quote);
      expect(moved.code).to.equal(1);
      expect(moved.err).to.include(
        `named program ${PROGRAM.toBase58()} before and names ${named.toBase58()} now`,
      );
      const other = await cli.run(...quote, '--program', PROGRAM.toBase58());
      expect(other.err).to.include(`names program ${named.toBase58()}, expected ${PROGRAM.toBase58()}`);
      expect((await cli.run(...quote, '--program', named.toBase58())).code).to.equal(0);
      expect((await cli.run(...quote)).code).to.equal(0);
    });
  });
});

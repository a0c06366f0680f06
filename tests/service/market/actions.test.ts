// Solana Actions: the data that a feed on another origin reads about a token, and the buy that the user's wallet signs. threat: card-name
import { Keypair, LAMPORTS_PER_SOL, PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js';
import { associatedTokenAddress } from '@curvekit/sdk';
import { expect } from 'chai';
import { type Service } from '#app/service.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { launch, launchGraduated } from '#tests/program/tokens.js';
import { ApiClient } from '#tests/service/api-client.js';
import { eventually } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';

const FEED = { Origin: 'https://feed.example' };
const HOSTILE = '\u202eEvil';

interface Button {
  readonly href: string;
  readonly label: string;
  readonly parameters?: readonly unknown[];
}

describe('Solana Actions', () => {
  const cluster = useCluster();
  let service: Service;
  let api: ApiClient;
  let mint: string;

  before(async () => {
    service = await startTestService(cluster(), {
      CORS_ORIGINS: 'https://ours.example',
      RATE_LIMIT_REQUESTS: '1000',
      PUBLIC_URL: 'https://pad.example/',
    });
    api = new ApiClient(service.url, service.document);
    mint = (await launch(cluster(), { name: 'Curvy', symbol: HOSTILE })).mint.toBase58();
    await known(mint);
  });
  after(() => service.stop());

  const known = (address: string) =>
    eventually(
      async () => (await api.get(`/v1/market/tokens/${address}`)).status === 200,
      'the token in the index',
    );
  const path = (address = mint, amount?: string) =>
    `/actions/t/${address}${amount === undefined ? '' : `?amount=${amount}`}`;

  it('actions.json maps token pages to their action', async () => {
    const { status, body, headers } = await api.get('/actions.json', { headers: FEED });
    expect(status).to.equal(200);
    expect(body['rules']).to.deep.include({ pathPattern: '/t/*', apiPath: '/actions/t/*' });
    expect(headers.get('access-control-allow-origin')).to.equal('*');
  });

  it("returns a token's title, picture and buy buttons", async () => {
    const { body, headers } = await api.get(path(), { headers: FEED });
    expect(body).to.include({ type: 'action', title: 'Curvy (Evil)', label: 'Buy Evil' });
    expect(body['icon']).to.equal(`https://pad.example/og/${mint}.png`);
    expect(body).not.to.have.property('disabled');
    const { actions } = body['links'] as { actions: Button[] };
    expect(actions.map(({ href }) => href)).to.deep.equal(
      ['0.1', '0.5', '1', '{amount}'].map((amount) => path(mint, amount)),
    );
    expect(actions.at(-1)?.parameters).to.have.length(1);
    expect(headers.get('x-action-version')).to.equal('2.4');
    const genesis = await cluster().connection.getGenesisHash();
    expect(headers.get('x-blockchain-ids')).to.equal(`solana:${genesis.slice(0, 32)}`);
  });

  it('let every origin post and read their headers; the other APIs allow only the origins in CORS_ORIGINS', async () => {
    const preflight = (name: string) =>
      fetch(service.url + name, {
        method: 'OPTIONS',
        headers: {
          ...FEED,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'content-type,x-blink-client-key',
        },
      });
    const answer = await preflight(path(mint, '1'));
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
    expect(answer.headers.get('access-control-allow-methods')).to.contain('POST');
    expect(answer.headers.get('access-control-allow-headers')).to.equal('content-type,x-blink-client-key');
    expect(answer.headers.get('access-control-expose-headers')).to.contain('X-Action-Version');
    const other = await preflight('/v1/market/tokens');
    expect(other.headers.get('access-control-allow-origin')).to.equal(null);
    // The path must match in whole segments.
    expect((await preflight('/actions.jsonx')).headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('builds a buy that the wallet signs and sends', async () => {
    const [wallet] = await cluster().fundedWallets(1, BigInt(LAMPORTS_PER_SOL));
    const account = wallet!.publicKey.toBase58();
    const sent = { account, type: 'transaction', data: { amount: '0.5' }, ofLaterVersions: 1 };
    const { status, body } = await api.post(path(mint, '0.5'), sent, FEED);
    expect(status).to.equal(200);
    expect(body['message']).to.match(/^About [\d.]+ tokens for 0\.5 SOL$/);
    const transaction = VersionedTransaction.deserialize(
      Buffer.from(body['transaction'] as string, 'base64'),
    );
    expect(transaction.message.staticAccountKeys[0]?.toBase58()).to.equal(account);
    expect(transaction.message.header.numRequiredSignatures).to.equal(1);
    transaction.sign([wallet!]);
    const { connection } = cluster();
    const signature = await connection.sendTransaction(transaction);
    await eventually(
      async () => (await connection.getSignatureStatus(signature)).value?.confirmationStatus === 'confirmed',
      'the buy',
    );
    const held = associatedTokenAddress(wallet!.publicKey, new PublicKey(mint)).address;
    const { value } = await connection.getTokenAccountBalance(held);
    const promised = Number(/[\d.]+/.exec(body['message'] as string)![0]);
    expect(value.uiAmount).to.be.closeTo(promised, promised * 0.01);
  });

  it('say how far a large buy moves the price, before it and in it', async () => {
    const { mint: fresh } = await launch(cluster());
    await known(fresh.toBase58());
    const { body: card } = await api.get(path(fresh.toBase58()));
    expect(card['description']).to.match(/for 10 SOL, each token costs 33 % more than now\.$/);
    const [wallet] = await cluster().fundedWallets(1, 100n * BigInt(LAMPORTS_PER_SOL));
    const account = wallet!.publicKey.toBase58();
    const messageOf = async (amount: string) =>
      (await api.post(path(fresh.toBase58(), amount), { account })).body['message'] as string;
    expect(await messageOf('60')).to.match(
      / for 60 SOL\. It moves the price: each token costs 198 % more than now$/,
    );
    expect(await messageOf('1')).to.match(/ for 1 SOL$/);
  });

  it('explains in the message why it returns no transaction', async () => {
    const [poor] = await cluster().fundedWallets(1, 10_000_000n);
    const account = poor!.publicKey.toBase58();
    const tooPoor = await api.post(path(mint, '0.5'), { account });
    expect(tooPoor.status).to.equal(422);
    expect(tooPoor.body['message']).to.match(/^The wallet has 0\.01 SOL; the buy takes 0\.5 SOL/);

    const [pda] = PublicKey.findProgramAddressSync([], cluster().deployment.programId);
    const refused: readonly [path: string, body: unknown, message: RegExp][] = [
      [path(mint), { account }, /amount/],
      [path(mint, '0'), { account }, /amount must be a number from 0\.001 to 1000 SOL/],
      [path(mint, '1e3'), { account }, /amount must be/],
      [path(mint, '0.0000000001'), { account }, /amount must be/],
      [path(mint, '1000.000000001'), { account }, /amount must be/],
      [path(mint, '1'), { account: 'me' }, /account must be the wallet that pays/],
      // The System Program's address, for which anyone can sign, and a PDA.
      ...[SystemProgram.programId, pda].map((key): [path: string, body: unknown, message: RegExp] => [
        path(mint, '1'),
        { account: key.toBase58() },
        /account must be a wallet that can sign: no key signs for this address/,
      ]),
      [path(mint, '1'), {}, /account/],
      [path('none', '1'), { account }, /mint must be/],
    ];
    for (const [where, body, message] of refused) {
      const answer = await api.post(where, body);
      expect(answer.status, where).to.equal(400);
      expect(answer.body['message'], where).to.match(message);
    }
    // Accounts of programs cannot pay.
    for (const owned of [mint, cluster().deployment.programId.toBase58()]) {
      const answer = await api.post(path(mint, '1'), { account: owned });
      expect([answer.status, answer.body['message']].join(' '), owned).to.match(/^422 /);
    }
    for (const other of [Keypair.generate().publicKey, SystemProgram.programId].map(String)) {
      expect((await api.get(path(other))).status).to.equal(404);
      expect((await api.post(path(other, '1'), { account })).status).to.equal(404);
    }
  });

  it('are disabled for a token whose curve has sold out', async () => {
    const address = (await launchGraduated(cluster())).mint.toBase58();
    await known(address);
    await eventually(async () => (await api.get(path(address))).body['disabled'] === true, 'the graduation');
    const { body } = await api.get(path(address));
    const { message } = body['error'] as { message: string };
    expect(message).to.match(/sold out/);
    const account = cluster().payer.publicKey.toBase58();
    const answer = await api.post(path(address, '1'), { account });
    expect([answer.status, answer.body['message']]).to.deep.equal([409, message]);
  });
});

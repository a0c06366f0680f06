// The clients in sdk/python and sdk/go: their examples, the quotes of the SDK, and services and nodes that lie to them.
// threat: forged-record, redirected-sdk
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { expect } from 'chai';
import bs58 from 'bs58';
import { DEFAULT_DEPLOYMENT, parseSol } from '@curvekit/sdk';
import { launch, trade } from '@curvekit/sdk/trade';
import { claimInstructions } from '#app/claims/transaction.js';
import { signatureBy } from '#app/keys/ed25519.js';
import { sendOn } from '#tests/network/forward.js';
import { HttpFailure, startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { serveHttp } from '#tests/node/serve.js';
import { HAS } from '#tests/outsiders/languages.js';
import { launchpad, ROOT, run } from '#tests/outsiders/launchpad.js';
import type { Launchpad } from '#tests/process/first-document.js';
import { goSdk, pythonOfSdk } from '#tests/outsiders/sdks.js';
import { outputOf } from '#tests/process/output.js';
import { FIXTURE } from '#tests/rust-client/fixture.js';

const AMOUNT = 1_000_000_000n;
const CLIENT = join(ROOT, 'tests/outsiders/clients/sdk.py');

describe('the clients in sdk/python and sdk/go', function () {
  this.timeout(240_000);
  let its: Launchpad;
  let connection: Connection;
  let wallet: Keypair;
  let node: RpcProxy;
  const programs: ChildProcess[] = [];

  before(async () => {
    its = await launchpad();
    connection = new Connection(its.rpcUrl, 'confirmed');
    wallet = await keypairIn(its.walletFile);
    node = await startRpcProxy(its.rpcUrl);
  });
  after(async () => {
    for (const program of programs) program.kill();
    await node?.stop();
  });

  const environment = () => ({
    ...process.env,
    LAUNCHPAD_URL: its.url,
    KEYPAIR: its.walletFile,
    API_KEY: its.partnerKey,
  });

  /** Starts an example. @returns waits for a line that it prints */
  function started(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    programs.push(child);
    return outputOf(child).until;
  }

  if (HAS.python) {
    it('examples/bot.py buys a new token, and sells it at a gain', async () => {
      const bot = join(ROOT, 'sdk/python/examples/bot.py');
      const said = started(await pythonOfSdk(), [bot], environment());
      await said(/^watching$/m);
      const token = { name: 'Bot bait', symbol: 'BAIT', uri: 'https://example.org/bait.json' };
      const { mint: key } = await launch(connection, { wallet, ...token });
      const mint = key.publicKey;
      await said(new RegExp(`^bought \\d+ of ${mint.toBase58()}$`, 'm'));
      await trade(connection, { wallet, mint, solToSpend: parseSol('5') });
      const [, received, paid] = await said(
        new RegExp(`^sold ${mint.toBase58()}: (\\d+) lamports for (\\d+)$`, 'm'),
      );
      expect(Number(received)).to.be.above(1.16 * Number(paid));
    });

    it('quotes to the unit what the SDK quotes, and builds its instruction', async () => {
      const { quotes, instructions } = JSON.parse(await readFile(FIXTURE, 'utf8')) as {
        quotes: { side: string; exact: string; quote?: object; refusal?: number | null }[];
        instructions: { buyToken: object[] }[];
      };
      const made = JSON.parse(
        await run(await pythonOfSdk(), [CLIENT, 'vectors', FIXTURE], { env: environment() }),
      ) as {
        quotes: object[];
        buys: object[];
      };
      const expected = quotes
        .filter(({ side, exact }) => exact === 'in' || side === 'buy')
        .map(({ quote, refusal }) => (quote === undefined ? { refusal } : { quote }));
      expect(expected.length).to.be.above(500);
      expect(made.quotes).to.deep.equal(expected);
      expect(made.buys).to.deep.equal(instructions.map(({ buyToken }) => buyToken.at(-1)));
    });

    it('refuses a hostile service that names another program', async () => {
      const other = Keypair.generate().publicKey.toBase58();
      const named = (json: string) => json.replace(/("programId":")\w+/, `$1${other}`);
      const [name, text] = await attempt('buy', { '/v1/launchpad': named });
      expect(name).to.equal('Untrusted');
      expect(text).to.contain(`names program ${other}, expected `);
      expect(node.calls.size).to.equal(0);
    });

    it('refuses a hostile service whose claim takes from the wallet, or pays less than it owes', async () => {
      const treasury = Keypair.generate();
      const [payer, attacker, owner] = [treasury.publicKey, Keypair.generate().publicKey, wallet.publicKey];
      const paid = (lamports = AMOUNT) => {
        const order = {
          wallet: owner,
          mint: new PublicKey(its.tokens[0]!.mint),
          asset: 'SOL',
          burn: false,
        } as const;
        const parts = { networkFee: 0n, walletHasAccount: true };
        return claimInstructions(payer, { ...order, amount: lamports }, parts);
      };
      const transfer = (fromPubkey: PublicKey, toPubkey: PublicKey) =>
        SystemProgram.transfer({ fromPubkey, toPubkey, lamports: AMOUNT });
      const [pay] = paid();
      const hostile: Record<string, readonly TransactionInstruction[]> = {
        'sends SOL of the wallet': [pay!, transfer(owner, attacker)],
        'gives the wallet to a program': [
          pay!,
          SystemProgram.assign({ accountPubkey: owner, programId: attacker }),
        ],
        'pays twice, so that it differs': [pay!, pay!],
        'pays another wallet': [{ ...pay!, keys: pay!.keys.with(1, { ...pay!.keys[1]!, pubkey: attacker }) }],
        'takes instead of paying': [{ ...pay!, keys: [pay!.keys[1]!, pay!.keys[0]!, pay!.keys[2]!] }],
        'pays less than was unclaimed': paid(AMOUNT - 100_001n),
        'does nothing': [],
      };
      const sent = node.calls.get('sendTransaction');
      const hostileClaims = Object.entries(hostile).map(async ([what, instructions]) => {
        const [name, text] = await claim(instructions);
        expect(name, what).to.equal('Untrusted');
        expect(text, what).to.contain('nothing was signed');
      });
      await Promise.all(hostileClaims);
      expect(node.calls.get('sendTransaction')).to.equal(sent);
      // The honest one is signed and sent. The node refuses its blockhash.
      expect((await claim(paid()))[0]).to.equal('TransactionFailed');
      expect((await claim(paid(AMOUNT - 100_000n)))[0]).to.equal('TransactionFailed');

      function claim(instructions: readonly TransactionInstruction[]): Promise<[string, string]> {
        const parts = {
          payerKey: payer,
          recentBlockhash: bs58.encode(treasury.publicKey.toBytes()),
          instructions: [...instructions],
        };
        const transaction = new VersionedTransaction(new TransactionMessage(parts).compileToV0Message());
        transaction.sign([treasury]);
        const tx = Buffer.from(transaction.serialize()).toString('base64');
        let unclaimed = `${AMOUNT}`;
        return attempt('claim', {
          '/tokens/': () => {
            const amounts = `{"sol":${unclaimed},"solUi":"","token":0,"tokenUi":""}`;
            return `{"status":"success","data":{"unclaimedRewards":${amounts},"allTimeRewards":${amounts}}}`;
          },
          '/initiate': () => {
            unclaimed = '0';
            return `{"status":"success","data":{"tx":"${tx}"}}`;
          },
        });
      }
    });

    it('refuses a hostile node that shows a trade which another program has logged', async () => {
      const { programId } = DEFAULT_DEPLOYMENT;
      const other = Keypair.generate().publicKey.toBase58();
      node.rewrite(({ method }, result) =>
        method === 'getTransaction'
          ? (JSON.parse(JSON.stringify(result).replaceAll(programId.toBase58(), other)) as unknown)
          : result,
      );
      const [name, text] = await attempt('buy');
      node.rewrite(undefined);
      expect(name, text).to.equal('OutcomeUnknown');
      expect(text).to.match(/; \w{80,} may have landed: look it up/);
    });

    it('finds a trade on a node that fails after it was sent', async () => {
      let failures = 0;
      node.rewrite(({ method }, result) =>
        method === 'getTransaction' && (failures += 1) <= 2 ? new HttpFailure(503, 'busy') : result,
      );
      const [name, text] = await attempt('buy');
      node.rewrite(undefined);
      expect(name, text).to.equal('done');
      expect(failures).to.be.above(2);
    });

    it('refuses a price beyond the limit by the name of the program, and sends nothing', async () => {
      const before = await connection.getBalance(wallet.publicKey);
      const [name, text] = await attempt('beyond');
      expect(name).to.equal('ProgramError');
      expect(text).to.contain('SlippageError (6003)');
      expect(await connection.getBalance(wallet.publicKey)).to.equal(before);
    });
  }

  if (HAS.python && HAS.java && HAS.go)
    it('examples/backend shows prices and registers users, and gives its key to nobody else', async () => {
      const thief = await serveHttp((request, response) => {
        stolen.push(request.headers);
        response.end('{}');
      });
      const stolen: object[] = [];
      const redirect = await serveHttp((_, response) =>
        response.writeHead(307, { location: `${thief.url}/v1/internal/stats` }).end(),
      );
      const { backend } = await goSdk();
      const ask = async (service: string) => {
        const said = started(backend, [], { ...environment(), LAUNCHPAD_URL: service, PORT: '0' });
        const [, url] = await said(/(http:\S+)/);
        return url!;
      };
      const url = await ask(its.url);
      const prices = (await (await fetch(`${url}/prices`)).json()) as Record<string, string>;
      expect(Object.keys(prices)).to.include.members(its.tokens.map(({ mint }) => mint));
      for (const price of Object.values(prices)) expect(Number(price)).to.be.within(0.02, 1);
      const { message, nonce } = (await (await fetch(`${url}/message`)).json()) as Record<string, string>;
      const publicKey = wallet.publicKey.toBase58();
      const signature = bs58.encode(signatureBy(wallet, Buffer.from(message!)));
      const register = (user: object) =>
        fetch(`${url}/register`, { method: 'POST', body: JSON.stringify(user) });
      expect((await register({ publicKey, signature, nonce })).status).to.equal(200);
      const refusal = await register({ publicKey, signature, nonce: 'another' });
      expect(refusal.status).to.equal(502);
      expect((await refusal.json()) as object)
        .to.have.property('error')
        .that.match(/^[A-Z_]+ \(4\d\d\): /);
      const redirected = await fetch(`${await ask(redirect.url)}/message`);
      expect(await redirected.text()).to.contain('(307)');
      expect(stolen).to.deep.equal([]);
      await thief.stop();
      await redirect.stop();
    });

  /**
   * What the Python client does on a service that changes its answers.
   *
   * @param changes by a part of the path
   * @returns the class of its error, and the text
   */
  async function attempt(
    what: 'buy' | 'beyond' | 'claim',
    changes: Readonly<Record<string, (json: string) => string>> = {},
  ): Promise<[string, string]> {
    const service = await serveHttp((request, response) => {
      void sendOn(request, its.url).then(async (answer) => {
        const change = Object.entries(changes).find(([part]) => request.url!.includes(part))?.[1];
        const json = await answer.text();
        response.writeHead(change === undefined ? answer.status : 200, {
          'content-type': 'application/json',
        });
        response.end(change === undefined ? json : change(json));
      });
    });
    try {
      const args = [CLIENT, 'attempt', what, service.url, its.tokens[0]!.mint, node.url];
      return JSON.parse(await run(await pythonOfSdk(), args, { env: environment() })) as [string, string];
    } finally {
      await service.stop();
    }
  }
});

async function keypairIn(file: string): Promise<Keypair> {
  return Keypair.fromSecretKey(Uint8Array.from(JSON.parse(await readFile(file, 'utf8')) as number[]));
}

// The clients in sdk/python and sdk/go, and clients that generators make from /openapi.json, in four languages: compiled, and called
// on the service as it is and as a later version would be.
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import bs58 from 'bs58';
import { expect } from 'chai';
import { signatureBy } from '#app/keys/ed25519.js';
import { HAS } from '#tests/outsiders/languages.js';
import { fromNpm, launchpad, ROOT, run } from '#tests/outsiders/launchpad.js';
import { goSdk, pythonOfSdk, pythonWithTools } from '#tests/outsiders/sdks.js';
import { serveHttp, type ServedNode } from '#tests/node/serve.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const NPM = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', 'tsx@4.23.15'];

/** More than 2^32, and not exact in a float32. */
const LARGE = 4_503_599_627_370_497;

/** What every program prints. */
interface Read {
  readonly mints: readonly string[];
  readonly symbol: string;
  readonly signature: string;
  readonly slot: number;
  readonly solAmount: string;
  readonly opened: string;
  readonly volumeSol: number;
  readonly sol: number;
  readonly missing: number;
}

describe('clients made from /openapi.json', function () {
  this.timeout(240_000);
  const folder = temporaryFolder('clients');
  let url: string;
  /** The service as a later version: each object has a new field, and amounts are large. */
  let later: ServedNode;
  /** Arguments of the programs, after the URL. */
  let given: () => readonly [mint: string, wallet: string, timestamp: string, signature: string, key: string];
  let jar: string;
  let env: NodeJS.ProcessEnv;

  before('generate', async () => {
    const { partnerKey, payoutWallet, payoutWalletFile, tokens, ...started } = await launchpad();
    url = started.url;
    await cp(join(ROOT, 'tests/outsiders/clients'), folder, { recursive: true });
    await writeFile(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text());
    later = await serveHttp((request, response) => void answerLater(url, request, response));
    env = { ...process.env, KEYPAIR: payoutWalletFile, API_KEY: partnerKey };
    const secretKey = Uint8Array.from(JSON.parse(await readFile(payoutWalletFile, 'utf8')) as number[]);
    given = () => {
      const timestamp = String(Date.now());
      const signature = signatureBy({ secretKey }, Buffer.from(timestamp));
      return [tokens[0]!.mint, payoutWallet, timestamp, bs58.encode(signature), partnerKey];
    };
    if (HAS.python) ({ jar } = await pythonWithTools());
  });
  after(() => later?.stop());

  /** Runs openapi-generator. @returns the folder of the client */
  async function generated(generator: string, output: string, properties: string): Promise<string> {
    const to = join(folder, output);
    const options = [
      '-i',
      'openapi.json',
      '-g',
      generator,
      '-o',
      to,
      `--additional-properties=${properties}`,
    ];
    await run('java', ['-Dlog.level=warn', '-jar', jar, 'generate', ...options], { cwd: folder });
    return to;
  }

  async function expectReads(program: string, ...args: readonly string[]): Promise<void> {
    for (const base of [url, later.url]) {
      const printed = await run(program, [...args, base, ...given()], { cwd: folder, env });
      const read = JSON.parse(printed) as Read;
      const { trade, mints, sol, ...expected } = await readItself(base, read.signature);
      expect(read, base).to.include(expected);
      // Rewards grow meanwhile.
      expect(read.sol, base).to.be.within(1, sol);
      // Tokens are launched meanwhile.
      expect(mints).to.include.members(read.mints);
      expect(read.mints).to.have.length(3);
      expect(trade, base).to.include({ slot: read.slot, solAmount: read.solAmount });
      if (base === url) expect(read.volumeSol).to.be.above(0);
      else expect([read.volumeSol, read.sol]).to.deep.equal([LARGE, LARGE]);
    }
  }

  async function readItself(base: string, signature: string) {
    const [mint, wallet, timestamp, signed] = given();
    const get = async <T>(path: string, headers = {}): Promise<T> =>
      (await (await fetch(base + path, { headers })).json()) as T;
    const { items: tokens } = await get<{ items: { mint: string }[] }>('/v1/market/tokens?limit=100');
    const path = `/v1/market/tokens/${mint}`;
    const { items: trades } = await get<{ items: Pick<Read, 'signature' | 'slot' | 'solAmount'>[] }>(
      `${path}/trades?limit=200`,
    );
    const headers = { 'X-Timestamp': timestamp, 'X-Signature': signed };
    const { data } = await get<{ data: { allTimeRewards: { sol: number } }[] }>(
      `/rewards/${wallet}`,
      headers,
    );
    return {
      mints: tokens.map((token) => token.mint),
      symbol: (await get<{ symbol: string }>(path)).symbol,
      trade: trades.find((trade) => trade.signature === signature),
      opened: (await get<{ candles: string[][] }>(`${path}/candles`)).candles[0]![1],
      sol: data[0]!.allTimeRewards.sol,
      missing: 404,
    };
  }

  if (HAS.python && HAS.java && HAS.go)
    it('Go in sdk/go', async () => {
      await expectReads((await goSdk()).reader);
    });

  if (HAS.python)
    it('Python in sdk/python', async () => {
      await expectReads(await pythonOfSdk(), 'sdk.py', 'read');
    });

  if (HAS.python && HAS.java) {
    it('Java by openapi-generator, with its library `native`', async () => {
      const client = await generated('java', 'java', 'library=native,openApiNullable=false');
      const sources = join(client, 'src/main/java');
      // The generator's own jar has Jackson, and neither multipart forms nor this annotation.
      await rm(join(sources, 'org/openapitools/client/api/UploadsApi.java'));
      await writeFile(join(folder, 'Generated.java'), GENERATED);
      const files = await run('find', [sources, '-name', '*.java']);
      const javac = ['-nowarn', '-proc:none', '-d', 'classes', '-cp', jar, 'Generated.java', 'Main.java'];
      await run('javac', [...javac, ...files.trim().split('\n')], { cwd: folder });
      await expectReads('java', '-cp', `${join(folder, 'classes')}:${jar}`, 'Main');
    });

    it('TypeScript by openapi-generator, with fetch', async () => {
      await generated('typescript-fetch', 'typescript-fetch', 'importFileExtension=.js');
      await expectTypes('typescript-fetch.ts');
    });
  }

  it('TypeScript by openapi-typescript, with openapi-fetch', async () => {
    const packages = await fromNpm(...NPM);
    const generator = join(packages, 'node_modules/openapi-typescript/bin/cli.js');
    await run('node', [generator, 'openapi.json', '-o', 'openapi-typescript.gen.ts'], { cwd: folder });
    await expectTypes('openapi-typescript.ts');
  });

  /** Compiles a TypeScript program strictly, and runs it. */
  async function expectTypes(file: string): Promise<void> {
    const modules = join(await fromNpm(...NPM), 'node_modules');
    await rm(join(folder, 'node_modules'), { force: true });
    await symlink(modules, join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
    const lib = ['--lib', 'es2022,dom,dom.iterable', '--types', 'node', '--typeRoots'];
    await run(
      process.execPath,
      [join(modules, 'typescript/bin/tsc'), ...options, ...lib, join(ROOT, 'node_modules/@types'), file],
      { cwd: folder },
    );
    await expectReads(process.execPath, join(modules, 'tsx/dist/cli.mjs'), file);
  }
});

const GENERATED =
  'package javax.annotation; public @interface Generated { String[] value(); String date() default ""; String comments() default ""; }\n';

async function answerLater(
  url: string,
  { url: path, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('x-')) as [string, string][];
  const answer = await fetch(`${url}${path}`, { headers: own });
  const text = (await answer.text())
    .replaceAll('{"', '{"ofALaterVersion":{"x":[1,"two",null]},"')
    .replaceAll(/"(volumeSol|sol)":\d+/g, `"$1":${LARGE}`);
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
}

// Schemathesis calls every operation of /openapi.json, and finds nothing that the document does not say.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bs58 from 'bs58';
import { expect } from 'chai';
import { signatureBy } from '#app/keys/ed25519.js';
import { HAS } from '#tests/outsiders/languages.js';
import { fromPyPi, launchpad, ROOT, run } from '#tests/outsiders/launchpad.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const PACKAGES = ['schemathesis==4.32.5'];
/** Its answer never ends. */
const STREAM = '/v1/market/stream';

if (HAS.python)
  describe('schemathesis', function () {
    this.timeout(240_000);
    const folder = temporaryFolder('schemathesis');

    it('finds no answer and no refusal that is not documented', async () => {
      const [{ url, tokens, partnerKey, payoutWallet, payoutWalletFile }, environment] = await Promise.all([
        launchpad(),
        fromPyPi(...PACKAGES),
      ]);
      const secretKey = Uint8Array.from(JSON.parse(await readFile(payoutWalletFile, 'utf8')) as number[]);
      const timestamp = String(Date.now());
      const signature = bs58.encode(signatureBy({ secretKey }, Buffer.from(timestamp)));
      const [mint, wallet] = [tokens[0]!.mint, payoutWallet];
      const { items } = (await (await fetch(`${url}/v1/market/tokens/${mint}/trades`)).json()) as {
        items: { trader: string }[];
      };
      const ofWallet = {
        address: wallet,
        account: items[0]!.trader,
        creator: wallet,
        trader: items[0]!.trader,
      };
      const real = { mint, id: mint, tokenAddress: mint, publicKey: wallet, signature, ...ofWallet };
      const schemes = { signature, timestamp, apiKey: partnerKey };
      await writeFile(
        join(folder, 'schemathesis.toml'),
        Object.entries(schemes)
          .map(([name, value]) => `[auth.openapi.${name}]\napi_key = ${JSON.stringify(value)}\n`)
          .join(''),
      );
      const options = ['--exclude-path', STREAM, '--max-examples', '20', '--seed', '1', '--no-color'];
      const printed = await run(
        join(environment, 'bin', 'schemathesis'),
        ['run', `${url}/openapi.json`, '--phases', 'examples,coverage,fuzzing', ...options],
        {
          cwd: folder,
          env: {
            ...process.env,
            SCHEMATHESIS_HOOKS: join(ROOT, 'tests/outsiders/schemathesis.py'),
            REAL_VALUES: JSON.stringify(real),
          },
        },
      );
      expect(printed)
        .to.match(/Tested: \d\d/)
        .and.not.match(/Failures:|Errors:/);
    });
  });

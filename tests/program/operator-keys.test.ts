// The keypair of a real program is in target/deploy (docs/run.md). No build and no check may write it. threat: overwritten-key
import { chmod, cp, mkdir, readFile, readdir, symlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { localWallet } from '#app/operator/local/launchpad.js';
import { RUST_WORKSPACE } from '../../scripts/program/paths.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';
import { ROOT, run } from '#tests/process/run.js';

/** The parts of the repository that the commands read. */
const TREE = [
  ...RUST_WORKSPACE,
  ...['Anchor.toml', 'package.json', 'tsconfig.json', '.prettierrc.json'],
  ...['scripts', 'sdk'],
];

/** A fake cargo. It copies the committed program and, like `cargo build-sbf`, creates a missing keypair. */
const CARGO = `#!/bin/sh
[ "$2" = --version ] && { echo 'stand-in compiler'; exit 0; }
while [ "$1" != --manifest-path ]; do shift; done
name=$(basename "$(dirname "$2")" | tr - _)
while [ "$1" != --sbf-out-dir ]; do shift; done
mkdir -p "$2" && cp "$STAND_IN_ROOT/programs/artifacts/$name\${CURVE_FEE_RECEIVER:+_key_held}.so" "$2/$name.so"
[ -e "$2/$name-keypair.json" ] || echo '[]' > "$2/$name-keypair.json"
`;
/** A fake anchor. Like the real one, it refuses a keypair that does not fit the sources and creates a missing one. */
const ANCHOR = `#!/bin/sh
[ "$1" = --version ] && { echo 'anchor-cli 1.2.1'; exit 0; }
while [ "$1" != -o ]; do shift; done
name=$(basename "$2" .json)
while [ ! -e Anchor.toml ]; do cd ..; [ "$PWD" = / ] && exit 3; done
key=target/deploy/$name-keypair.json
[ -e "$key" ] || { mkdir -p target/deploy; echo '[]' > "$key"; }
right=$([ $name = graduation ] && echo graduation || echo program)
cmp -s "$key" "$STAND_IN_ROOT/programs/keys/localnet/$right.json" || { echo 'Program ID mismatch' >&2; exit 1; }
cp "$STAND_IN_ROOT/programs/artifacts/$name.json" "$2"
`;

describe("An operator's key files", () => {
  const tree = temporaryFolder('keys');
  let key: string;
  const content = JSON.stringify([...Keypair.generate().secretKey]);

  before('a copy of the repository, with an operator’s key and stand-ins for the compilers', async () => {
    for (const name of TREE) {
      await cp(join(ROOT, name), join(tree, name), {
        recursive: true,
        filter: (path) => !/node_modules|\/dist$/.test(path.slice(ROOT.length)),
      });
    }
    await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    await mkdir(join(tree, 'target', 'deploy'), { recursive: true });
    key = join(tree, 'target', 'deploy', 'bonding_curve-keypair.json');
    await writeFile(key, content, { mode: 0o600 });
    await mkdir(join(tree, 'bin'));
    for (const [name, text] of [
      ['cargo', CARGO],
      ['anchor', ANCHOR],
    ] as const) {
      await writeFile(join(tree, 'bin', name), text);
      await chmod(join(tree, 'bin', name), 0o755);
    }
  });

  async function script(name: string, variables: Record<string, string> = {}) {
    const env = {
      ...process.env,
      PATH: `${join(tree, 'bin')}:${process.env['PATH'] ?? ''}`,
      STAND_IN_ROOT: ROOT,
      ...variables,
    };
    return run(process.execPath, ['--import=tsx', join('scripts', 'program', name)], { cwd: tree, env }).then(
      ({ stderr }) => ({ exitCode: 0, err: stderr }),
      (error: { code: number; stderr: string }) => ({ exitCode: error.code, err: error.stderr }),
    );
  }

  async function expectUntouched(): Promise<void> {
    expect(await readFile(key, 'utf8')).to.equal(content);
    expect(await readdir(join(tree, 'target', 'deploy'))).to.deep.equal(['bonding_curve-keypair.json']);
  }

  it('are not changed by a build that is refused because a development key is overridden', async () => {
    const { exitCode, err } = await script('build.ts', {
      CURVE_ADMIN: Keypair.generate().publicKey.toBase58(),
    });
    expect([exitCode, err.includes('CURVE_ADMIN is set')]).to.deep.equal([1, true]);
    await expectUntouched();
  });

  it('are not changed by npm run build:program, which builds with the development keys', async () => {
    const { exitCode, err } = await script('build.ts');
    expect(exitCode, err).to.equal(0);
    await expectUntouched();
  });

  it('are not changed by npm run check:artifacts, which rebuilds when the compiler is the same', async () => {
    // The build above wrote the fake compiler into the manifest, so this check rebuilds.
    const { exitCode, err } = await script('check.ts');
    expect([exitCode, err.includes('anchor idl build')], err).to.deep.equal([0, true]);
    await expectUntouched();
  });

  describe("the key file of a local launchpad's wallet", () => {
    const folder = temporaryFolder('payout');

    it('are created once, readable by their owner alone, and used again', async () => {
      const first = await localWallet(join(folder, 'new'), 'payout-wallet');
      const again = await localWallet(join(folder, 'new'), 'payout-wallet');
      expect(again.keypair.publicKey.toBase58()).to.equal(first.keypair.publicKey.toBase58());
      expect(JSON.parse(await readFile(first.file, 'utf8'))).to.deep.equal([...first.keypair.secretKey]);
      expect((await stat(first.file)).mode & 0o777).to.equal(0o600);
    });

    it('are the same for concurrent starts', async () => {
      for (const attempt of ['a', 'b', 'c', 'd', 'e']) {
        const starts = Array.from({ length: 8 }, () => localWallet(join(folder, attempt), 'payout-wallet'));
        const keys = (await Promise.all(starts)).map(({ keypair }) => keypair.publicKey.toBase58());
        expect([...new Set(keys)]).to.have.length(1);
        expect(await readdir(join(folder, attempt))).to.deep.equal(['payout-wallet.json']);
      }
    });

    it('are not overwritten when the file contains something else', async () => {
      const file = join(folder, 'payout-wallet.json');
      await writeFile(file, 'precious');
      const error = await localWallet(folder, 'payout-wallet').catch((caught: unknown) => caught as Error);
      expect((error as Error).message)
        .to.contain('holds no keypair')
        .and.to.contain('move it away');
      expect(await readFile(file, 'utf8')).to.equal('precious');
    });
  });
});

// The feature `mainnet`: what keeps a program that obeys the development keys, which everybody has, off a real cluster.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { requireCargo } from '#tests/process/cargo.js';
import { RUST_WORKSPACE } from '../scripts/program/paths.js';

/** The crates it depends on may have to be checked first. */
const TIMEOUT_MS = 600_000;
const TARGET = resolve(process.env['CARGO_TARGET_DIR'] ?? 'target');
/** Always the same folder, so that cargo knows it again. */
const WORKSPACE = join(TARGET, 'mainnet-feature');
const LIB = join(WORKSPACE, 'programs', 'bonding-curve', 'src', 'lib.rs');
const VARIABLES = ['CURVE_ADMIN', 'CURVE_FEE_RECEIVER', 'CURVE_DEX_OWNER'] as const;

type Authorities = Readonly<Record<(typeof VARIABLES)[number], string | undefined>>;

describe('the feature mainnet', function () {
  this.timeout(TIMEOUT_MS);

  const own = Object.fromEntries(VARIABLES.map((name) => [name, newKey()])) as Authorities;
  const developmentId = declaredId(readFileSync('programs/bonding-curve/src/lib.rs', 'utf8'));

  before('copy the program', () => {
    requireCargo('it compiles the program with and without what the feature asks for');
    rmSync(WORKSPACE, { recursive: true, force: true });
    mkdirSync(WORKSPACE, { recursive: true });
    for (const path of RUST_WORKSPACE) {
      cpSync(path, join(WORKSPACE, path), { recursive: true, preserveTimestamps: true });
    }
  });
  after('remove the copy', () => rmSync(WORKSPACE, { recursive: true, force: true }));

  describe('Given a program id of its own', () => {
    before(() => declareId(newKey()));

    it('when all three authorities are its own too, then it compiles', () => {
      const { status, stderr } = check(own);
      expect(status, stderr).to.equal(0);
    });

    for (const name of VARIABLES) {
      it(`when ${name} is missing, then it does not compile and says which is`, () => {
        expectRefusal({ ...own, [name]: undefined }, `set ${name} to`);
      });
    }

    const taken = [
      ['CURVE_ADMIN', 'admin'],
      ['CURVE_FEE_RECEIVER', 'fee-receiver'],
      ['CURVE_DEX_OWNER', 'dex-owner'],
      ['CURVE_ADMIN', 'fee-receiver'],
      ['CURVE_DEX_OWNER', 'program'],
    ] as const;
    for (const [name, file] of taken) {
      it(`when ${name} is the development key ${file}, then it does not compile and says which is`, () => {
        expectRefusal({ ...own, [name]: developmentKey(file) }, `${name} is a development key`);
      });
    }
  });

  it('Given the development program id, when the authorities are its own, then it does not compile', () => {
    declareId(developmentId);
    expectRefusal(own, 'declare_id! still names the development program');
  });
});

function expectRefusal(authorities: Authorities, message: string): void {
  const { status, stderr } = check(authorities);
  expect(status, stderr).to.not.equal(0);
  expect(stderr).to.contain('feature mainnet: ').and.to.contain(message);
}

/** `cargo check` of the copy with the feature and those variables alone. */
function check(authorities: Authorities): { status: number | null; stderr: string } {
  const unset = Object.fromEntries(VARIABLES.map((name) => [name, undefined]));
  const env = { ...process.env, ...unset, ...authorities, CARGO_TARGET_DIR: TARGET };
  const command = ['check', '--quiet', '--locked', '--lib', '--features', 'mainnet'];
  return spawnSync('cargo', command, { cwd: WORKSPACE, env, encoding: 'utf8' });
}

function declareId(id: string): void {
  const source = readFileSync(LIB, 'utf8');
  writeFileSync(LIB, source.replace(declaredId(source), id));
}

function declaredId(source: string): string {
  const id = /declare_id!\("(\w+)"\)/.exec(source)?.[1];
  if (id === undefined) throw new Error('lib.rs declares no program id');
  return id;
}

function developmentKey(file: string): string {
  const secret = JSON.parse(readFileSync(join('keys', 'localnet', `${file}.json`), 'utf8')) as number[];
  return Keypair.fromSecretKey(Uint8Array.from(secret)).publicKey.toBase58();
}

function newKey(): string {
  return Keypair.generate().publicKey.toBase58();
}

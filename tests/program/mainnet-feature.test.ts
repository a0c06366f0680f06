// The feature `mainnet` prevents a build with the development keys, which are public. threat: development-keys
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { newAddress } from '#tests/new-address.js';
import { requireCargo } from '#tests/process/cargo.js';
import { ANCHOR_WORKSPACE, RUST_WORKSPACE } from '../../scripts/program/paths.js';
import { IDL_BUILD_ENVIRONMENT } from '../../scripts/program/toolchain.js';

/** cargo may have to build the dependencies first. */
const TIMEOUT_MS = 600_000;
/** Always the same folder, so that cargo can use its cache. */
const WORKSPACE = join(dirname(ANCHOR_WORKSPACE), 'mainnet-feature');
/** An address that a build must refuse, and the variable that sets it: a development key's file, or an address. */
type Taken = readonly [variable: string, fileOrAddress: string];

/** Stands for the operator's own program id. */
const OWN_ID = 'the program itself';

/** The programs, and the addresses that an operator compiles into each. */
const PROGRAMS: readonly { name: string; variables: readonly string[]; taken: readonly Taken[] }[] = [
  {
    name: 'bonding-curve',
    variables: ['CURVE_ADMIN', 'CURVE_FEE_RECEIVER', 'CURVE_DEX_OWNER'],
    taken: [
      ['CURVE_ADMIN', 'admin'],
      ['CURVE_FEE_RECEIVER', 'fee-receiver'],
      ['CURVE_DEX_OWNER', 'dex-owner'],
      ['CURVE_ADMIN', 'fee-receiver'],
      ['CURVE_DEX_OWNER', 'program'],
      // The fee receiver of the development build of the graduation program.
      ['CURVE_FEE_RECEIVER', '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv'],
      ['CURVE_ADMIN', '11111111111111111111111111111111'],
      ['CURVE_DEX_OWNER', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
      ['CURVE_FEE_RECEIVER', OWN_ID],
    ],
  },
  {
    name: 'graduation',
    variables: ['CURVE_PROGRAM', 'CURVE_ADMIN', 'CURVE_TREASURY'],
    taken: [
      ['CURVE_PROGRAM', 'program'],
      ['CURVE_ADMIN', 'admin'],
      ['CURVE_TREASURY', 'fee-receiver'],
      ['CURVE_TREASURY', 'graduation'],
      ['CURVE_PROGRAM', OWN_ID],
      ['CURVE_ADMIN', '1nc1nerator11111111111111111111111111111111'],
      ['CURVE_TREASURY', 'dex-owner'],
    ],
  },
];
const ALL_VARIABLES = PROGRAMS.flatMap(({ variables }) => variables);

type Addresses = Readonly<Record<string, string | undefined>>;

describe('the feature mainnet', function () {
  this.timeout(TIMEOUT_MS);

  before('copy the programs', () => {
    requireCargo('it compiles the programs with and without what the feature asks for');
    rmSync(WORKSPACE, { recursive: true, force: true });
    mkdirSync(WORKSPACE, { recursive: true });
    for (const path of RUST_WORKSPACE) {
      cpSync(path, join(WORKSPACE, path), { recursive: true, preserveTimestamps: true });
    }
  });
  after('remove the copy', () => rmSync(WORKSPACE, { recursive: true, force: true }));

  for (const { name: program, variables, taken } of PROGRAMS) {
    const own: Addresses = Object.fromEntries(variables.map((name) => [name, newAddress()]));
    const source = join('programs', program, 'src', 'lib.rs');
    const developmentId = declaredId(readFileSync(source, 'utf8'));
    const declare = (id: string) => declareId(join(WORKSPACE, source), id);
    const expectRefusal = (addresses: Addresses, message: string) => {
      const { status, stderr } = build(program, addresses);
      expect(status, stderr).to.not.equal(0);
      expect(stderr).to.contain('feature mainnet: ').and.to.contain(message);
    };

    describe(`the build of ${program}`, () => {
      describe('Given an operator’s own program id', () => {
        const ownId = newAddress();
        before(() => declare(ownId));

        it('when all addresses are the operator’s own too, then the program compiles', () => {
          const { status, stderr } = build(program, own);
          expect(status, stderr).to.equal(0);
        });

        for (const name of variables) {
          it(`when ${name} is missing, then the program does not compile, and the error names it`, () => {
            expectRefusal({ ...own, [name]: undefined }, `set ${name} to`);
          });
        }

        for (const [name, file] of taken) {
          it(`when ${name} is ${file}, then the program does not compile, and the error names it`, () => {
            const address = file === OWN_ID ? ownId : file.length > 31 ? file : developmentKey(file);
            expectRefusal(
              { ...own, [name]: address },
              `${name} is a development key, or an address that nobody`,
            );
          });
        }
      });

      it('Given the development program id, when all addresses are the operator’s own, then the program does not compile', () => {
        declare(developmentId);
        expectRefusal(own, 'declare_id! still names the development program');
      });
    });
  }
});

/** Builds a program's copy, and its tests, with the feature and those variables alone. */
function build(program: string, addresses: Addresses): { status: number | null; stderr: string } {
  const unset = Object.fromEntries(ALL_VARIABLES.map((name) => [name, undefined]));
  const env = { ...process.env, ...IDL_BUILD_ENVIRONMENT, ...unset, ...addresses };
  // The dependencies that the suites clippy and rust have built are used again.
  const command = [
    'build',
    '--quiet',
    '--locked',
    '--profile',
    'test',
    '--all-targets',
    '--package',
    program,
  ];
  // Optimising what nobody runs would take most of the time.
  const options = ['--features', 'mainnet', '--config', 'profile.test.opt-level=0'];
  return spawnSync('cargo', [...command, ...options], { cwd: WORKSPACE, env, encoding: 'utf8' });
}

function declareId(lib: string, id: string): void {
  const source = readFileSync(lib, 'utf8');
  writeFileSync(lib, source.replace(declaredId(source), id));
}

function declaredId(source: string): string {
  const id = /declare_id!\("(\w+)"\)/.exec(source)?.[1];
  if (id === undefined) throw new Error('lib.rs declares no program id');
  return id;
}

function developmentKey(file: string): string {
  const secret = JSON.parse(
    readFileSync(join('programs', 'keys', 'localnet', `${file}.json`), 'utf8'),
  ) as number[];
  return Keypair.fromSecretKey(Uint8Array.from(secret)).publicKey.toBase58();
}

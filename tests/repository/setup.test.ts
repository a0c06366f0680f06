// scripts/setup.mjs: the versions of Node.js that it accepts, and what it prints for each step and failure.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { copySetup } from '#tests/process/setup-files.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const LISTED = (packages: string) =>
  `mkdir -p node_modules && echo '{"packages":{${packages}}}' > node_modules/.package-lock.json`;
const INSTALLS = `case $* in *--omit=peer*) ${LISTED('')} ;; *) ${LISTED('"scripts/tools":{}')} ;; esac`;
const BUILDS =
  'mkdir $PAGE_FOLDER/.vite && echo 1 > $PAGE_FOLDER/.vite/manifest.json && echo page > $PAGE_FOLDER/index.html && echo dist/assets/a.js';

describe('npm run setup', () => {
  let tree: string;

  beforeEach('a clone without packages', () => {
    tree = temporaryFolder('setup');
    copySetup(tree);
    for (const folder of ['web', '.cache', 'scripts/tools']) mkdirSync(join(tree, folder));
    const fetched = ['mpl_token_metadata.so', 'raydium_cp_swap.not-found', 'database-tables-1.tar'];
    for (const name of [
      'web/index.html',
      'scripts/tools/package.json',
      ...fetched.map((file) => `.cache/${file}`),
    ])
      writeFileSync(join(tree, name), '');
  });

  /** Runs the set-up with a fake npm. `version` is the version of Node.js that it believes to run on. */
  function setUp({
    version = '24.0.0',
    ci = INSTALLS,
    build = BUILDS,
    script = 'setup',
    options = [] as string[],
  } = {}) {
    const npm = `#!/bin/sh\ncase $1 in\nci|install) ${ci} ;;\nrun) ${build} ;;\nesac\n`;
    writeFileSync(join(tree, 'bin', 'npm'), npm, { mode: 0o755 });
    const preload = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [`--import=${preload}`, `scripts/${script}.mjs`, ...options],
      {
        cwd: tree,
        encoding: 'utf8',
        env: { PATH: `${tree}/bin:${dirname(process.execPath)}:/usr/bin:/bin` },
      },
    );
    expect(stdout).to.equal('');
    return { status, lines: stderr.trimEnd().split('\n') };
  }

  const STEPS = [
    'setup: installing packages (npm ci), usually 15 to 90 s',
    'setup: building the web page (npm run build -w web), usually 5 to 15 s',
  ];

  it('prints one line for each step, and nothing when all is done', () => {
    expect(setUp()).to.deep.equal({ status: 0, lines: STEPS });
    // Another process is building the page.
    mkdirSync(join(tree, 'web/dist-a1B2c3'));
    writeFileSync(join(tree, 'web/dist-a1B2c3/index.html'), '');
    expect(setUp()).to.deep.equal({ status: 0, lines: [''] });
  });

  describe('of a clone with a built page', () => {
    const buildPage = (option: string, build?: string) =>
      setUp({ script: 'build-page', options: [option], ...(build !== undefined && { build }) });

    beforeEach(() => {
      expect(setUp().status).to.equal(0);
      expect(buildPage('--commit')).to.deep.equal({ status: 0, lines: STEPS.slice(1) });
      for (const folder of ['web/dist', 'node_modules']) rmSync(join(tree, folder), { recursive: true });
    });

    it('leaves out the packages of page and tools for a start, and adds them later without a new beginning', () => {
      expect(setUp({ options: ['--start'] })).to.deep.equal({ status: 0, lines: STEPS.slice(0, 1) });
      expect(readFileSync(join(tree, 'web/dist/index.html'), 'utf8')).to.equal('page\n');
      expect(setUp({ options: ['--start'] }).lines).to.deep.equal(['']);
      const added = 'setup: installing packages (npm install), usually 15 to 90 s';
      expect(setUp()).to.deep.equal({ status: 0, lines: [added] });
      expect(setUp({ options: ['--start'] }).lines).to.deep.equal(['']);
    });

    it('installs all packages and builds the page when its sources have changed', () => {
      writeFileSync(join(tree, 'web/index.html'), 'changed');
      expect(setUp({ options: ['--start'] })).to.deep.equal({ status: 0, lines: STEPS });
      expect(setUp()).to.deep.equal({ status: 0, lines: [''] });
    });

    it('is found out when the sources build another page', () => {
      expect(buildPage('--check').status).to.equal(0);
      const { status, lines } = buildPage('--check', `${BUILDS} && echo other > $PAGE_FOLDER/index.html`);
      expect(status).to.equal(1);
      expect(lines[1]).to.contain('web/generated/page.json is not what the sources build');
      expect(lines[2]).to.contain('npm run build:page');
    });
  });

  for (const version of ['18.20.8', '20.19.4', '22.11.0']) {
    it(`refuses Node.js ${version}`, () => {
      const { status, lines } = setUp({ version });
      expect(status).to.equal(1);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.contain(`Node.js ${version}`).and.to.contain('install Node.js 24');
    });
  }

  for (const version of ['22.12.0', '23.0.0', '25.2.1']) {
    it(`accepts Node.js ${version}`, () => expect(setUp({ version }).status).to.equal(0));
  }

  it('says every five seconds how far a long step is', () => {
    const { status, lines } = setUp({ ci: `sleep 5.5; ${INSTALLS}` });
    expect(status).to.equal(0);
    expect(lines[1]).to.match(/^setup: installing packages, 5 s, \d+ of at most \d+ unpacked$/);
  }).timeout(20_000);

  it('installs again when a package is missing', () => {
    expect(setUp({ ci: LISTED('"scripts/tools":{},"app/node_modules/lost":{}') }).status).to.equal(0);
    const { lines } = setUp();
    expect(lines.slice(0, 2)).to.deep.equal(['setup: app/node_modules/lost is missing', STEPS[0]]);
  });

  it('prints a cause and a remedy when npm fails', () => {
    const errors = [
      'npm error code ENOTFOUND',
      'npm error syscall getaddrinfo',
      'npm error network request to https://example.org/a failed, reason: getaddrinfo ENOTFOUND example.org',
      'npm error A complete log of this run can be found in: /home/you/.npm/_logs/1.log',
    ];
    const { status, lines } = setUp({ ci: `echo '${errors.join('\n')}' >&2; exit 1` });
    expect(status).to.equal(1);
    expect(lines.slice(1)).to.deep.equal([
      'setup: failed: npm ci: ENOTFOUND: network request to https://example.org/a failed, reason: getaddrinfo ENOTFOUND example.org',
      'setup: to do: check the network, the proxy, and the registry that `npm config get registry` prints, then run the command again',
    ]);
  });

  it("keeps the page's earlier files for a day, because open tabs load parts of their own version", () => {
    const builds = (name: string) => {
      writeFileSync(join(tree, 'web/index.html'), name);
      const { status } = setUp({
        build: `${BUILDS} && mkdir $PAGE_FOLDER/assets && echo 1 > $PAGE_FOLDER/assets/${name}.js`,
      });
      expect(status).to.equal(0);
      return readdirSync(join(tree, 'web/dist/assets')).sort();
    };
    expect(builds('a')).to.deep.equal(['a.js']);
    expect(builds('b')).to.deep.equal(['a.js', 'b.js']);
    const list = join(tree, 'web/dist/.vite/earlier.json');
    writeFileSync(list, JSON.stringify({ 'a.js': Date.now() - 25 * 3_600_000 }));
    expect(builds('c')).to.deep.equal(['b.js', 'c.js']);
    expect(Object.keys(JSON.parse(readFileSync(list, 'utf8')) as object)).to.deep.equal(['b.js']);
  });

  it('prints a cause and a remedy when the embedded database cannot be prepared', () => {
    rmSync(join(tree, '.cache/database-tables-1.tar'));
    const { status, lines } = setUp();
    expect({ status, step: lines[2] }).to.deep.equal({
      status: 1,
      step: 'setup: building the service and its embedded database, usually 4 to 8 s',
    });
    expect(lines.slice(3)).to.have.length(2);
    expect(lines[3]).to.match(/^setup: failed: Error.*Cannot find module/);
    expect(lines[4]).to.match(/^setup: to do: /);
  });
});

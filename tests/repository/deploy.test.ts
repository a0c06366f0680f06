// The files of deploy/ that nothing here starts agree with the service and with each other: variables, ports, paths, users.
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '#app/config/config.js';
import { ALL_VARIABLES } from '#app/config/settings.js';
import {
  dockerfileOf,
  nginxOf,
  unitOf,
  variablesOf,
  yamlOf,
  type Compose,
  type Container,
  type Directive,
} from '#tests/deploy/kit.js';

/** Variables that the service's program understands beside its configuration. */
const OF_NODE = ['NODE_ENV'];
/** What one process may take from a stop signal to its end, beside the delay and the timeout of its configuration. */
const SPARE_SECONDS = 5;
const UNITS = ['curvekit.service', 'curvekit-signer.service'];

const { services } = yamlOf<Compose>('compose.yaml');
const own = Object.entries(services).filter(([, { image }]) => image === 'curvekit');
const dockerfile = dockerfileOf('Dockerfile');
const of = (name: string): string[] =>
  dockerfile.filter((one) => one.name === name).map(({ value }) => value);
const imageVariables = variablesOf(of('ENV').join(' '));

/** The configuration of a container. Its keys are files that are not here, and the operator's words are left out. */
function configOf({ environment = {} }: Container) {
  const given = Object.entries({ ...imageVariables, ...environment, TREASURY_KEYPAIR: '' });
  return readConfig(
    Object.fromEntries(given.map(([name, value]) => [name, value.replaceAll(/\$\{[^}]*\}/g, 'word')])),
  );
}
const portOf = (kind: 'port' | 'operatorPort'): number => configOf(services['api']!).http[kind]!;

function expectKnown(names: readonly string[], where: string): void {
  const known = new Set([...ALL_VARIABLES, ...OF_NODE]);
  expect(
    names.filter((name) => !known.has(name)),
    where,
  ).to.deep.equal([]);
}

function directives(found: readonly Directive[], name: string): string[] {
  return found.flatMap(({ words, inner }) => [
    ...(words[0] === name ? [words.slice(1).join(' ')] : []),
    ...directives(inner, name),
  ]);
}

describe("the operator's kit, as it is written", () => {
  describe('the Dockerfile', () => {
    it('sets only variables of the service, to values that it takes, and runs it without rights', () => {
      expectKnown(Object.keys(imageVariables), 'ENV');
      expect(readConfig(imageVariables).http).to.include({
        host: '0.0.0.0',
        port: 3_000,
        operatorPort: 9_000,
      });
      expect(of('USER')).to.deep.equal(['node']);
    });

    it('leaves out of the image what `.dockerignore` names: keys in .env, packages, builds', () => {
      const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n');
      expect(ignored).to.include.members(['.git', '.env', '.curvekit', '**/node_modules', '**/dist']);
    });
  });

  describe('compose.yaml', () => {
    it('sets only variables of the service, with which each of its containers has a configuration', () => {
      expect(own.map(([name]) => name)).to.deep.equal(['migrate', 'api', 'worker', 'signer']);
      for (const [name, container] of own) {
        expectKnown(Object.keys(container.environment ?? {}), name);
        expect(() => configOf(container), name).not.to.throw();
      }
      expect(configOf(services['api']!).role).to.equal('api');
      expect(configOf(services['worker']!).role).to.equal('worker');
      for (const name of ['migrate', 'api', 'worker']) {
        expect(configOf(services[name]!).database, name).to.include({ kind: 'postgres' });
        expect(services[name]!.env_file, name).to.equal('../.env');
      }
    });

    it('runs the service without rights, on a file system that it cannot write but for what is named', () => {
      for (const [name, container] of own) {
        expect(container, name).to.deep.include({
          read_only: true,
          tmpfs: ['/tmp'],
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
        });
        const mounts = container.volumes!.map((volume) => volume.replace(/^\$\{[^}]*\}|^[^:]+/, ''));
        const writable = mounts.filter((mount) => !mount.endsWith(':ro'));
        expect([':/var/lib/curvekit', ':/run/curvekit'], name).to.include.members(writable);
        expect(container.user ?? 'node', name).to.match(/^(node|1001:1000)$/);
      }
      expect(variablesOf(of('ENV').join(' '))['UPLOADS_FOLDER']).to.match(/^\/var\/lib\/curvekit\//);
    });

    it('gives the signer its key, its socket, and nothing else; the APIs no key of the worker', () => {
      const { command, network_mode, env_file, environment, volumes: mounts, user } = services['signer']!;
      expect([network_mode, env_file]).to.deep.equal(['none', []]);
      expect(Object.keys(environment!)).to.deep.equal(['TREASURY_KEYPAIR']);
      const socket = command![command!.indexOf('--socket') + 1]!;
      expect(mounts).to.include(`socket:${dirname(socket)}`);
      expect(of('RUN')[1]).to.contain(`chown ${user!.split(':')[0]}:node ${dirname(socket)}`);
      for (const name of ['api', 'worker'])
        expect(services[name]!.volumes, name).to.include(`socket:${dirname(socket)}`);
      const keys = (name: string) => services[name]!.volumes!.find((one) => one.includes(':/run/secrets'));
      expect(new Set(['api', 'worker', 'signer'].map(keys)).size).to.equal(3);
      const unset = Object.entries(services['api']!.environment!).filter(([, value]) => value === '');
      expect(unset.map(([name]) => name).sort()).to.deep.equal(
        ALL_VARIABLES.filter((name) => /_KEYPAIR$/.test(name) && name !== 'TREASURY_KEYPAIR').sort(),
      );
    });

    it('waits longer for an end than the service takes', () => {
      for (const name of ['api', 'worker']) {
        const { http } = configOf(services[name]!);
        const needed = http.shutdownDelaySeconds + http.shutdownTimeoutSeconds + SPARE_SECONDS;
        expect(parseInt(services[name]!.stop_grace_period!), name).to.be.at.least(needed);
      }
    });

    it('publishes ports of this machine alone, and not those of the service, which stand behind the proxy', () => {
      for (const [name, { ports = [] }] of Object.entries(services)) {
        for (const port of ports) expect(port, name).to.match(/^127\.0\.0\.1:\d+:\d+$/);
        if (own.some(([one]) => one === name)) expect(ports, name).to.deep.equal([]);
      }
      const [listen] = directives(nginxOf('nginx.conf'), 'listen');
      expect(services['proxy']!.ports).to.deep.equal([`127.0.0.1:3000:${listen}`]);
    });
  });

  describe('nginx.conf', () => {
    const nginx = nginxOf('nginx.conf');

    it('proxies to the port of the service, and keeps metrics inside', () => {
      expect(directives(nginx, 'server')).to.deep.include(`api:${portOf('port')}`);
      const [server] = nginx.filter(({ words }) => words[0] === 'server');
      const metrics = server!.inner.find(({ words }) => words.join(' ') === 'location = /metrics');
      expect(metrics!.inner.map(({ words }) => words)).to.deep.equal([['return', '404']]);
    });

    it('does not buffer the live stream, and waits longer than its heartbeat', () => {
      expect(directives(nginx, 'proxy_buffering')).to.deep.equal(['off']);
      expect(directives(nginx, 'proxy_http_version')).to.deep.equal(['1.1']);
      const hub = readFileSync('app/src/market/stream/hub.ts', 'utf8');
      const heartbeat = Number(/HEARTBEAT_MS = ([\d_]+)/.exec(hub)![1]!.replaceAll('_', ''));
      const [timeout] = directives(nginx, 'proxy_read_timeout');
      expect(timeout).to.match(/^\d+s$/);
      expect(parseInt(timeout!) * 1_000).to.be.at.least(2 * heartbeat);
    });

    it("sends the client's own address, alone, to services that believe one proxy", () => {
      expect(directives(nginx, 'proxy_set_header')).to.include.members([
        'Host $host',
        'X-Forwarded-For $remote_addr',
        'X-Forwarded-Proto $scheme',
      ]);
      expect(configOf(services['api']!).http.trustProxy).to.equal(1);
    });
  });

  for (const name of UNITS) {
    describe(name, () => {
      const unit = unitOf(name);
      const environment = variablesOf((unit.get('Environment') ?? []).join(' '));

      it('sets only variables of the service, and starts a file that exists as a user of its own', () => {
        expectKnown(Object.keys(environment), name);
        expect(unit.get('User')).to.deep.equal([name.replace('.service', '')]);
        expect(unit.get('Group')).to.deep.equal(['curvekit']);
        for (const command of [...(unit.get('ExecStartPre') ?? []), ...unit.get('ExecStart')!]) {
          const [, path] = /^\/usr\/bin\/env node \/opt\/curvekit\/(\S+)/.exec(command)!;
          expect(existsSync(path!), path).to.equal(true);
        }
      });

      it('can write nothing but the folders that systemd gives it', () => {
        const hardened = { ProtectSystem: 'strict', NoNewPrivileges: 'yes', CapabilityBoundingSet: '' };
        for (const [setting, value] of Object.entries(hardened))
          expect(unit.get(setting), setting).to.deep.equal([value]);
        expect(unit.has('ReadWritePaths')).to.equal(false);
        const written = [
          ...(unit.get('StateDirectory') ?? []).map((folder) => `/var/lib/${folder}/`),
          ...(unit.get('RuntimeDirectory') ?? []).map((folder) => `/run/${folder}/`),
        ];
        const paths = [
          environment['UPLOADS_FOLDER'],
          /--socket (\S+)/.exec(unit.get('ExecStart')!.join())?.[1],
        ].filter((path) => path !== undefined);
        expect(paths).to.have.length(1);
        expect(
          written.some((folder) => paths[0]!.startsWith(folder)),
          paths[0],
        ).to.equal(true);
      });
    });
  }

  it('the unit of the service waits longer for its end than the service takes', () => {
    const { http } = readConfig({});
    const [seconds] = unitOf('curvekit.service').get('TimeoutStopSec')!;
    expect(Number(seconds)).to.be.at.least(http.shutdownTimeoutSeconds + SPARE_SECONDS);
  });
});

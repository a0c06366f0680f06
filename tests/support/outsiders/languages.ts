// Programs that outside clients need.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const isThere = (program: string, ...args: string[]) =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** Programs of the machine, and where to get the others. */
export const HAS = {
  postgres: existsSync('/usr/lib/postgresql') || isThere('initdb', '--version'),
  python: isThere('python3', '-c', 'import ensurepip, venv'),
  java: isThere('javac', '-version'),
  go: isThere('go', 'version'),
};
const FROM = {
  postgres: 'postgresql',
  python: 'python3-venv',
  java: 'default-jdk-headless',
  go: 'golang-go',
} as const;

/** What the suite leaves out on this machine, for its row in the table of `npm test`. */
export function leftOut(): string | undefined {
  const names = Object.entries(HAS).flatMap(([name, isHere]) => (isHere ? [] : [name as keyof typeof HAS]));
  if (names.length === 0) return undefined;
  return `without ${names.join(', ')}: your package manager has ${names.map((name) => FROM[name]).join(', ')}`;
}

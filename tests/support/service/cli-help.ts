import { runCli } from '#app/operator/run.js';

const helps = new Map<string, Promise<string | undefined>>();

/** Help of a command of `curvekit`; undefined when there is no such command. */
export function helpOf(...path: readonly string[]): Promise<string | undefined> {
  const name = path.join(' ');
  const found = helps.get(name) ?? read(name);
  helps.set(name, found);
  return found;
}

async function read(name: string): Promise<string | undefined> {
  const out: string[] = [];
  const exitCode = await runCli([...name.split(' '), '--help'], {
    environment: {},
    out: (text) => out.push(text),
    err: () => undefined,
    openDatabase: () => Promise.reject(new Error('help opens no database')),
    colour: false,
  });
  const text = out.join('\n');
  return exitCode === 0 && text.startsWith(`Usage: curvekit ${name} `) ? text : undefined;
}

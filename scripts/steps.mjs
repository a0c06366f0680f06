// Runs a program of the set-up to its end, and says every few seconds how far it is. Plain JavaScript, because it runs before
// any package is installed.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const REPORT_MS = 5_000;

/**
 * @param {string} what names the step in its reports, such as `installing packages`
 * @param {string} command
 * @param {readonly string[]} args
 * @param {() => string} progress what has been done so far
 * @returns {Promise<{ failure?: string, lines: string[] }>} why it failed, and the lines that it printed, without stacks
 */
export async function runStep(what, command, args, progress = () => '') {
  const started = Date.now();
  const report = setInterval(() => {
    const done = progress();
    const seconds = Math.round((Date.now() - started) / 1_000);
    console.error(`setup: ${what}, ${seconds} s${done === '' ? '' : `, ${done}`}`);
  }, REPORT_MS);
  let output = '';
  try {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    const failure = await new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) =>
        resolve(code === 0 ? undefined : `${command} ended with ${signal ?? `code ${code}`}`),
      );
    });
    return { ...(failure !== undefined && { failure }), lines: withoutStack(output) };
  } finally {
    clearInterval(report);
  }
}

/** The lines of a program's output that are not empty and belong to no stack trace. */
export function withoutStack(output) {
  return output
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^\s+at |^\s*\^+$|^Node\.js v|^(node|file):\S+:\d+$/.test(line));
}

// `mcp` and `schemas`
import type { Command } from 'commander';
import {
  clusterOptions,
  keyFileOf,
  textOf,
  withKeypair,
  work,
  type Registration,
  type Session,
} from '../command.js';
import { CommandError } from '../errors.js';
import { sol, wholeNumber } from '../values.js';

export function registerMcp(program: Command, registration: Registration): void {
  const command = program
    .command('mcp')
    .description(
      'serve an agent (Model Context Protocol) on standard input and output: find, token, quote; with --keypair also portfolio, preview and trade',
    )
    .option(
      '--http <port>',
      'serve on this port of this machine instead, with a token (MCP_TOKEN, or a new one)',
    )
    .option('--limit <sol>', 'the most that one trade may be worth', '0.1')
    .option('--day-limit <sol>', 'the most that the trades of a day (UTC) may be worth', '1')
    .option('--yes', 'trade within the limits without asking the user each time');
  work(withKeypair(command), registration, runMcp);
  const schemas = program
    .command('schemas')
    .description('the JSON Schemas of what each command prints with --json');
  schemas.action(async () => {
    const { documentSchemas } = await import('../documents.js');
    registration.terminal.out(JSON.stringify(documentSchemas(), null, 2));
  });
}

async function runMcp(session: Session): Promise<void> {
  const { options, terminal } = session;
  const [{ Allowance }, { serveOnPort, serveOnStdio }] = await Promise.all([
    import('../mcp/allowance.js'),
    import('../mcp/serve.js'),
  ]).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CommandError('this clone has the packages of `npm start` alone; run `npm run setup` once');
  });
  const limits = {
    perCall: sol('--limit', textOf(options, 'limit')!),
    perDay: sol('--day-limit', textOf(options, 'dayLimit')!),
  };
  const key = keyFileOf(session);
  const port = textOf(options, 'http');
  const parts = {
    terminal,
    common: clusterOptions(options),
    key: key === undefined ? undefined : ['--keypair', key],
    allowance: new Allowance(terminal.environment, limits),
    isAgreed: options['yes'] === true,
  };
  if (port === undefined) return serveOnStdio(parts);
  return serveOnPort(parts, wholeNumber('--http', port, 0, 65_535));
}

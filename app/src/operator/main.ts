import { existsSync } from 'node:fs';
import { loadEnvFile } from '../config/files.js';
import { showsColour } from './table.js';
import { runCli } from './run.js';

// Variables that are already set override the file.
if (existsSync('.env')) loadEnvFile('.env', process.env);

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  openDatabase: async (config) => {
    const { openDatabase } = await import('../db/database.js');
    return openDatabase(config);
  },
  colour: showsColour(process.stdout),
});
// What a peer that does not answer still holds must not hold the process.
setTimeout(() => process.exit(), 1_000).unref();

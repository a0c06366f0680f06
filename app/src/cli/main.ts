import { existsSync } from 'node:fs';
import { showsColour } from './table.js';
import { openDatabase } from '../db/database.js';
import { runCli } from './run.js';

// Variables that are already set override the file.
if (existsSync('.env')) process.loadEnvFile('.env');

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  openDatabase,
  colour: showsColour(process.stdout),
});

#!/usr/bin/env node
// The program `curvekit-trade`. The package has it built; a clone of the repository runs the sources.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = new URL('../src/main.ts', import.meta.url);
if (existsSync(source)) {
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)) });
  await import(source.href);
} else await import('../dist/main.js');

#!/usr/bin/env node
// The program `curvekit`, in plain JavaScript: it starts the compiler that the service's package brings, from any folder.
import { register } from 'tsx/esm/api';
import { fileURLToPath } from 'node:url';

register({ tsconfig: fileURLToPath(new URL('../../../tsconfig.json', import.meta.url)) });
await import('./main.ts');

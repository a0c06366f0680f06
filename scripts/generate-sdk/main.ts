// Writes sdk/src/generated from artifacts/bonding_curve.json. With --check it writes nothing and fails on a difference.
import { fileURLToPath } from 'node:url';
import { readIdl, structsOf } from './idl.js';
import { idlFile } from './idl-module.js';
import { instructionsFile } from './instructions.js';
import { writeOrCheck } from './output.js';
import { errorsFile, programFile } from './program.js';
import { accountsFile, recordsFile } from './structs.js';

const idl = readIdl(fileURLToPath(new URL('../../artifacts/bonding_curve.json', import.meta.url)));
const structs = structsOf(idl);
await writeOrCheck('sdk/src/generated', 'the IDL', {
  'accounts.ts': accountsFile(idl, structs),
  'errors.ts': errorsFile(idl),
  'idl.ts': idlFile(idl),
  'instructions.ts': instructionsFile(idl),
  'program.ts': programFile(idl),
  'records.ts': recordsFile(idl, structs),
});

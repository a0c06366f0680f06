// Writes sdk/src/generated from the IDLs in programs/artifacts/.
import { fileURLToPath } from 'node:url';
import { readIdl, structsOf } from './idl.js';
import { idlFile } from './idl-module.js';
import { instructionsFile } from './instructions.js';
import { writeOrCheck } from './output.js';
import { constantsFile, errorsFile, programFile } from './program.js';
import { accountsFile, kitRecordsFile, recordsFile } from './structs.js';

const curve = idlOf('bonding_curve');
await writeOrCheck('sdk/src/generated', 'the IDL', {
  'accounts.ts': accountsFile(curve, structsOf(curve), '..'),
  'constants.ts': constantsFile(curve),
  'errors.ts': errorsFile(curve),
  'idl.ts': idlFile(curve),
  'instructions.ts': instructionsFile(curve, '..'),
  'program.ts': programFile(curve, '..'),
  'records.ts': recordsFile(curve, structsOf(curve), '..'),
});

const graduation = idlOf('graduation');
await writeOrCheck('sdk/src/generated/graduation', 'the IDL', {
  'constants.ts': constantsFile(graduation),
  'errors.ts': errorsFile(graduation),
  'idl.ts': idlFile(graduation),
  'instructions.ts': instructionsFile(graduation, '../..'),
  'program.ts': programFile(graduation, '../..', [curve]),
  'records.ts': recordsFile(graduation, structsOf(graduation), '../..'),
});

await writeOrCheck('sdk/src/generated/kit', 'the IDLs', {
  'records.ts': kitRecordsFile([curve, graduation]),
});

function idlOf(program: string) {
  return readIdl(fileURLToPath(new URL(`../../programs/artifacts/${program}.json`, import.meta.url)));
}

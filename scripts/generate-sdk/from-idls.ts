// Writes sdk/src/generated from the IDLs in programs/artifacts/.
import { fileURLToPath } from 'node:url';
import { pascalCase, readIdl, structsOf } from './idl.js';
import { instructionsFile } from './instructions.js';
import { writeOrCheck } from './output.js';
import { constantsFile, errorsFile, programFile } from './program.js';
import { accountsFile, kitRecordsFile, recordsFile } from './structs.js';
import { convertIdlToCamelCase, type Idl } from '@coral-xyz/anchor/dist/cjs/idl.js';
import { header } from './text.js';

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

/** generated/idl.ts: the IDL as a value and as a literal type, for `new Program<BondingCurve>(IDL, provider)` of @coral-xyz/anchor. */
function idlFile(idl: Idl): string {
  const value = convertIdlToCamelCase(idl);
  const name = pascalCase(idl.metadata.name);
  return `${header(idl)}
/** The IDL's type, names in camelCase as @coral-xyz/anchor uses them. */
export type ${name} = ${JSON.stringify(value, null, 2)};

/** The IDL, names in camelCase. */
export const IDL: ${name} = ${JSON.stringify(value)};
`;
}

import { convertIdlToCamelCase, type Idl } from '@coral-xyz/anchor/dist/cjs/idl.js';
import { pascalCase } from './idl.js';
import { header } from './text.js';

/** generated/idl.ts: the IDL as a value and as a literal type, for `new Program<BondingCurve>(IDL, provider)` of @coral-xyz/anchor. */
export function idlFile(idl: Idl): string {
  const value = convertIdlToCamelCase(idl);
  const name = pascalCase(idl.metadata.name);
  return `${header(idl)}
/** The IDL's type, names in camelCase as @coral-xyz/anchor uses them. */
export type ${name} = ${JSON.stringify(value, null, 2)};

/** The IDL, names in camelCase. */
export const IDL: ${name} = ${JSON.stringify(value)};
`;
}

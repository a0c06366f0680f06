import type { Idl } from '@coral-xyz/anchor/dist/cjs/idl.js';
import { camelCase, constantCase, layoutFields, pascalCase, plainAccounts, typeOf } from './idl.js';
import { bytesConstant, docComment, header } from './text.js';

type Instruction = Idl['instructions'][number];

/** generated/instructions.ts: a builder and an argument decoder per instruction. `source`: path to sdk/src. */
export function instructionsFile(idl: Idl, source: string): string {
  const names = idl.instructions.map(
    ({ name }) => `  ${camelCase(name)}: ${constantCase(name)}_DISCRIMINATOR,`,
  );
  return [
    header(idl),
    `import type { PublicKey, TransactionInstruction } from '${source}/chain/types.js';
import { buildInstruction, decodeLayout, type InstructionLayout } from '${source}/codec/instruction.js';
import { PROGRAM_ADDRESS } from './program.js';\n`,
    ...idl.instructions.map(instruction),
    `/** Discriminators of every instruction, by name. */
export const INSTRUCTION_DISCRIMINATORS = {\n${names.join('\n')}\n} as const;

/** Name of an instruction of this program. */
export type InstructionName = keyof typeof INSTRUCTION_DISCRIMINATORS;
`,
  ].join('\n');
}

function instruction(item: Instruction): string {
  const accounts = plainAccounts(item);
  const [type, constant, name] = [pascalCase(item.name), constantCase(item.name), camelCase(item.name)];
  const accountMembers = accounts.map(
    (account) => `${docComment(account.docs)}readonly ${camelCase(account.name)}: PublicKey;\n`,
  );
  const argMembers = item.args.map(
    ({ name: arg, docs, type: argType }) =>
      `${docComment(docs)}readonly ${camelCase(arg)}: ${typeOf(argType).typescript};\n`,
  );
  const positions = accounts.map((account, index) => `${camelCase(account.name)}: ${index},`);
  const metas = accounts.map((account) => {
    const key = camelCase(account.name);
    return `${key}: '${account.writable === true ? 'w' : ''}${account.signer === true ? 's' : ''}',`;
  });
  const sizes = item.args.map((arg) => typeOf(arg.type).size);
  const size = sizes.includes(undefined)
    ? ''
    : `/** Bytes of the data of \`${name}\`. */\nexport const ${constant}_DATA_SIZE = ${sizes.reduce((sum: number, bytes) => sum + (bytes ?? 0), item.discriminator.length)};\n`;

  const hasArgs = item.args.length > 0;
  const argsInterface = `/** Arguments of \`${name}\`. */
export interface ${type}Args {\n${argMembers.join('')}}\n`;
  const decoder = `/** Reads the arguments from the data of a \`${name}\` instruction. @throws DecodeError when it is another one's. */
export function decode${type}Args(data: Uint8Array): ${type}Args {
  return decodeLayout<${type}Args>(${constant}, data);
}\n`;
  return `/** Accounts of \`${name}\`. */
export interface ${type}Accounts {\n${accountMembers.join('')}}

/** Positions of the accounts of \`${name}\`. */
export const ${constant}_ACCOUNTS = { ${positions.join(' ')} } as const;

${hasArgs ? argsInterface : ''}
/** First bytes of the data of \`${name}\`. */
${bytesConstant(`${constant}_DISCRIMINATOR`, item.discriminator)}
${size}
const ${constant}: InstructionLayout<${type}Accounts, ${hasArgs ? `${type}Args` : 'object'}> = {
  name: '${name}',
  discriminator: ${constant}_DISCRIMINATOR,
  accounts: { ${metas.join(' ')} },
  fields: ${layoutFields(item.args)},
};

${docComment([...(item.docs ?? []), ...(item.docs === undefined ? [] : ['']), '@throws InvalidArgumentError that names the account or argument that is wrong.'])}export function ${name}Instruction(
  accounts: ${type}Accounts,
  ${hasArgs ? `args: ${type}Args,` : ''}
  programId: PublicKey = PROGRAM_ADDRESS,
): TransactionInstruction {
  return buildInstruction(${constant}, programId, accounts, ${hasArgs ? 'args' : '{}'});
}

${hasArgs ? decoder : ''}`;
}

// Generates the types of the SDK's clients from the service's OpenAPI document, each with a reader that checks answers.
import { pascalCase } from './idl.js';
import { docComment } from './text.js';

/** Folder of the generated files, from the root of the repository. */
export const API_FOLDER = 'sdk/src/generated/api';

/** The part of an OpenAPI document that the types come from. */
export interface ApiDocument {
  readonly paths?: Readonly<Record<string, object>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> };
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maximum?: number;
  /** Schemas of the elements of a list with a fixed length. */
  readonly prefixItems?: readonly Schema[];
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

/** An API for which the SDK has a client. */
interface Client {
  readonly name: string;
  /** Tag of its operations in the document. */
  readonly tag: string;
  /** The field of an error with its code. */
  readonly codeField: string;
}

const APIS: readonly Client[] = [
  { name: 'rewards', tag: 'rewards', codeField: 'code' },
  { name: 'partner', tag: 'Partner API', codeField: 'error' },
  { name: 'market', tag: 'market', codeField: 'code' },
  { name: 'launchpad', tag: 'launchpad', codeField: 'code' },
];

const HEADER = `// Generated from the service's OpenAPI document by scripts/generate-sdk. Do not edit: run \`npm run generate:sdk\`.\n`;
const JSON_TYPE = 'application/json';
const PREFIX = '#/components/schemas/';

/** The generated files by name. */
export function apiFiles(document: ApiDocument): Record<string, string> {
  return Object.fromEntries(APIS.map((api) => [`${api.name}.ts`, new ApiFile(document, api).text()]));
}

class ApiFile {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #operations: readonly Operation[];
  /** Readers that the file must import. */
  readonly #readers = new Set<string>();
  /** Named schemas, each after the schemas that it uses. */
  readonly #named = new Map<string, string>();

  constructor(
    document: ApiDocument,
    private readonly client: Client,
  ) {
    this.#schemas = document.components?.schemas ?? {};
    const all = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path) as Operation[]);
    this.#operations = all.filter(({ tags }) => tags.includes(client.tag));
  }

  text(): string {
    const answers = this.#operations.map((operation) => this.#answer(operation));
    const bodies = this.#operations.flatMap(({ requestBody }) =>
      requestBody === undefined ? [] : this.#body(requestBody.content[JSON_TYPE]!.schema),
    );
    const types = ['type Reader', ...[...this.#readers].sort()].join(', ');
    return [
      HEADER,
      `import { ${types} } from '../../http/readers.js';\n`,
      this.#errorCodes(),
      ...this.#named.values(),
      ...bodies,
      ...answers.filter((text) => text !== ''),
    ].join('\n');
  }

  #errorCodes(): string {
    const { name, codeField } = this.client;
    const codes = new Set(
      this.#operations.flatMap(({ responses }) =>
        Object.entries(responses).flatMap(([status, { content }]) =>
          status === '200' ? [] : (content?.[JSON_TYPE]?.schema.properties?.[codeField]?.enum ?? []),
        ),
      ),
    );
    const union = [...codes].sort().map((code) => JSON.stringify(code));
    return `/** Codes of the errors of this API: \`code\` of an \`ApiError\`. */\nexport type ${pascalCase(name)}ErrorCode = ${union.join(' | ')};\n`;
  }

  #answer({ operationId, summary, responses }: Operation): string {
    const { schema } = responses['200']!.content![JSON_TYPE]!;
    if (schema.$ref !== undefined) {
      this.#name(schema.$ref);
      return '';
    }
    const name = `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Answer`;
    return this.#declaration(name, `Answer of \`${operationId}\`: ${summary}.`, schema);
  }

  /** The type of a request body. It needs no reader, and bodies contain no amounts. */
  #body(schema: Schema): string {
    const name = schema.$ref?.slice(PREFIX.length) ?? '';
    return `/** Body of a request. */\nexport interface ${name} ${this.#members(this.#schemas[name]!)}\n`;
  }

  #declaration(name: string, doc: string | undefined, schema: Schema): string {
    const isInterface = schema.properties !== undefined;
    const type = isInterface
      ? `export interface ${name} ${this.#members(schema)}`
      : `export type ${name} = ${this.#type(schema)};`;
    const comment = docComment(doc === undefined ? undefined : [doc]);
    return `${comment}${type}\n\n/** @throws ConnectionError unless it is one */\nexport const read${name}: Reader<${name}> = /* @__PURE__ */ ${this.#reader(schema)};\n`;
  }

  #members({ properties = {}, required = [] }: Schema): string {
    const members = Object.entries(properties).map(([name, schema]) => {
      const doc = docComment(schema.description === undefined ? undefined : [schema.description]);
      return `${doc}readonly ${name}${required.includes(name) ? '' : '?'}: ${this.#type(schema)};\n`;
    });
    return `{\n${members.join('')}}`;
  }

  #type(schema: Schema): string {
    if (schema.$ref !== undefined) return this.#name(schema.$ref);
    if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    const [type, isNullable] = typeOf(schema);
    return `${this.#typeNamed(type, schema)}${isNullable ? ' | null' : ''}`;
  }

  #typeNamed(type: string, schema: Schema): string {
    switch (type) {
      case 'object':
        return this.#members(schema);
      case 'array':
        if (schema.prefixItems !== undefined)
          return `readonly [${schema.prefixItems.map((item) => this.#type(item)).join(', ')}]`;
        return `readonly ${parenthesized(this.#type(schema.items!))}[]`;
      case 'integer':
        return isSafe(schema) ? 'number' : 'bigint';
      case 'string':
      case 'number':
      case 'boolean':
        return type;
      default:
        throw new Error(`the OpenAPI document has a schema of type ${type}, which has no reader`);
    }
  }

  #reader(schema: Schema): string {
    if (schema.$ref !== undefined) return `read${this.#name(schema.$ref)}`;
    if (schema.enum !== undefined) {
      const values = schema.enum.map((value) => JSON.stringify(value));
      return `${this.#use('readOneOf')}(${values.join(', ')})`;
    }
    const [type, isNullable] = typeOf(schema);
    const reader = this.#readerNamed(type, schema);
    return isNullable ? `${this.#use('readNullable')}(${reader})` : reader;
  }

  #readerNamed(type: string, schema: Schema): string {
    switch (type) {
      case 'object': {
        const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
          if (schema.required?.includes(name) !== true)
            throw new Error(
              `the OpenAPI document has an optional field in an answer, ${name}: it has no reader`,
            );
          return `${name}: ${this.#reader(field)}`;
        });
        return `${this.#use('readObject')}({ ${fields.join(', ')} })`;
      }
      case 'array':
        if (schema.prefixItems !== undefined)
          return `${this.#use('readTuple')}(${schema.prefixItems.map((item) => this.#reader(item)).join(', ')})`;
        return `${this.#use('readList')}(${this.#reader(schema.items!)})`;
      case 'integer':
        return this.#use(isSafe(schema) ? 'readNumber' : 'readAmount');
      default:
        return this.#use(`read${pascalCase(type)}`);
    }
  }

  #use(reader: string): string {
    this.#readers.add(reader);
    return reader;
  }

  #name(ref: string): string {
    const name = ref.slice(PREFIX.length);
    const schema = this.#schemas[name];
    if (schema === undefined) throw new Error(`the OpenAPI document has no schema ${ref}`);
    if (!this.#named.has(name)) this.#named.set(name, this.#declaration(name, schema.description, schema));
    return name;
  }
}

/** Whether a number holds every value exactly. Amounts have no maximum. */
function isSafe({ maximum = Infinity }: Schema): boolean {
  return maximum <= Number.MAX_SAFE_INTEGER;
}

function typeOf({ type }: Schema): [type: string, isNullable: boolean] {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  return [types.find((name) => name !== 'null') ?? 'unknown', types.includes('null')];
}

function parenthesized(type: string): string {
  return type.includes('|') || type.startsWith('readonly ') ? `(${type})` : type;
}

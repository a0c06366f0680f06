// `npm run docs`: a page for every public name and every guide, with one search.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Converter } from 'typedoc';

const ROOT = join(import.meta.dirname, '..');

/** Modules are named as users import them, guides by their first heading. */
function nameByTitle(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? [])
      module.name = module.name.replace(/^(\w+)\/src(\/http)?/, '@curvekit/$1');
    for (const guide of project.documents ?? []) {
      const [{ text }] = guide.content;
      const [heading, title] = /^# (.+)\n+/.exec(text) ?? ['', guide.name];
      guide.name = title;
      guide.content[0].text = text.slice(heading.length);
    }
  });
}

/** The sources of what a package exports. */
function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  return Object.keys(exports)
    .filter((entry) => entry !== './package.json')
    .map((entry) =>
      [`${entry}/index.ts`, `${entry}.ts`, `http/${entry}.ts`]
        .map((path) => join(ROOT, folder, 'src', path))
        .find((path) => existsSync(path)),
    );
}

export default {
  name: 'Curvekit',
  includeVersion: true,
  basePath: ROOT,
  entryPoints: ['sdk', 'testing'].flatMap(entriesOf),
  readme: join(ROOT, 'README.md'),
  projectDocuments: [
    join(ROOT, '{docs/**/*,CHANGELOG,CONTRIBUTING,SECURITY,*/README,{crates,programs,scripts}/*/README}.md'),
  ],
  plugin: [nameByTitle],
  tsconfig: join(ROOT, 'tsconfig.json'),
  out: join(ROOT, 'dist-docs'),
  searchInDocuments: true,
  sortEntryPoints: false,
  highlightLanguages: 'typescript tsx javascript json bash rust sql toml yaml coq'.split(' '),
  excludeInternal: true,
  skipErrorChecking: true,
  disableSources: true,
  treatWarningsAsErrors: true,
  packagesRequiringDocumentation: ['@curvekit/sdk', '@curvekit/testing'],
  requiredToBeDocumented: ['Function', 'Class', 'Interface', 'TypeAlias', 'Enum', 'Variable'],
  validation: { notDocumented: true, notExported: false, invalidLink: true, invalidPath: true },
  intentionallyNotDocumented: ['Create', 'Migrate', 'Trade'].map(
    (kind) => `@curvekit/sdk.RECORDS.__type.${kind}Record.__type.decode`,
  ),
};

// What programs that write code or trade for somebody read: served with the page, and packed with the SDK.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './steps.mjs';

/** With what each is about. */
export const DOCUMENTS = [
  ['README.md', 'what it is, and how to run it'],
  ['sdk/README.md', 'the TypeScript SDK: quotes, trades, launches, records, feeds, rewards'],
  ['docs/api.md', "the service's HTTP APIs: rewards, market, partners, aggregators"],
  ['trade/README.md', 'the command line of traders, and its tools for agents (MCP)'],
  ['testing/README.md', 'a local cluster for tests'],
  ['crates/curvekit-client/README.md', 'the Rust client'],
  ['docs/who-can-take-what.md', 'which key can take what'],
];
const REPOSITORY = 'https://github.com/curvekit/curvekit/blob/main/';

/** Writes `llms.txt`, which lists the documents, and `llms-full.txt`, which has them whole. @param here lines about this launchpad */
export function writeDocuments(folder, here = []) {
  const documents = DOCUMENTS.filter(([path]) => existsSync(join(ROOT, path)));
  const list = documents.map(([path, about]) => `- [${path}](${REPOSITORY}${path}): ${about}`);
  const head =
    '# Curvekit\n\n> An open token launchpad for Solana: bonding curves that graduate into pools by themselves.\n';
  const ofService = here.length === 0 ? '' : `\n## This launchpad\n\n${here.join('\n')}\n`;
  writeFileSync(join(folder, 'llms.txt'), `${head}\n## Documents\n\n${list.join('\n')}\n${ofService}`);
  const texts = documents.map(
    ([path]) => `<!-- ${path} -->\n\n${readFileSync(join(ROOT, path), 'utf8').trim()}\n`,
  );
  writeFileSync(join(folder, 'llms-full.txt'), texts.join('\n'));
}

// `npm pack` runs it in the package's folder.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeDocuments('.');

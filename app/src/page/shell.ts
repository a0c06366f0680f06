// The HTML that a page shows before its script runs: the header, and the heading at its final position. The script replaces
// it.
import { NAVIGATION } from '../../../web/src/pages/table.js';
import type { Token } from '../market/reads/token.js';
import { escape, plainWords } from './head.js';

/** A text of the page, as in `web/src/words`. */
const BOARD = 'Closest to graduation';
const NAMELESS = '—';

/** The empty element that the page's script renders into. */
const EMPTY_ROOT = '<div id="root"></div>';

/** The document with a shell of the board or of a token's page. */
export function withShell(html: string, serviceName: string, path: string, token: Token | undefined): string {
  const links = NAVIGATION.map(
    ({ path: href, link }) => `<a href="${href}"${href === path ? ' aria-current="page"' : ''}>${link}</a>`,
  );
  const shell = [
    `<header class="top"><div class="row"><span class="brand">${escape(serviceName)}</span></div></header>`,
    `<nav class="phone-tabs" aria-label="Pages">${links.join('')}</nav>`,
    `<main class="page" aria-busy="true">${token === undefined ? boardHeading() : tokenHeading(token)}</main>`,
  ];
  // A function, because a replacement string would interpret a name such as `$&`.
  return html.replace(EMPTY_ROOT, () => `<div id="root">${shell.join('')}</div>`);
}

function boardHeading(): string {
  return (
    '<div class="phone-nav only-phone"><div class="search"><input type="search" aria-label="Search" disabled></div></div>' +
    `<div class="section"><h1>${BOARD}</h1></div>`
  );
}

function tokenHeading({ name, symbol }: Token): string {
  const text = (words: string) => escape(plainWords(words) || NAMELESS);
  const heading = `<h1>${text(name)} <span class="muted">${text(symbol)}</span></h1>`;
  // Has the same size as the content that the script renders.
  const below = '<div class="sub"><span class="copy"></span></div>';
  return `<div class="head"><div class="head-art"></div><div class="head-names">${heading}${below}</div></div>`;
}

// The web page: every path returns the same built document, with its own tags in the head.
import { gzipSync } from 'node:zlib';
import {
  Router,
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { LANGUAGE_KEY, type Language } from '../../../web/src/languages.js';
import { INTRO_CLOSED, NOT_FOUND, PAGE_NAMES, PAGES, type PageName } from '../../../web/src/pages/table.js';
import { sol } from '../../../web/src/format.js';
import { goalOf } from '../../../web/src/market/progress.js';
import type { Context } from '../context.js';
import type { PageHandlers } from '../http/app.js';
import { envelopeErrors } from '../http/error-shapes.js';
import { HttpProblem } from '../http/problem.js';
import { sendJson } from '../http/route.js';
import { ADDRESS_BYTES, decodeBase58 } from '../base/base58.js';
import type { MarketConfig } from '../market/config.js';
import type { Token } from '../market/reads/token.js';
import {
  DEFAULT_FOLDER,
  etagOf,
  readBuiltPage,
  type BuiltPage,
  type Manifest,
  type PageFile,
} from './built-page.js';
import { cachedSoon, firstValues, type FirstValues } from './first-values.js';
import { withHead, escape, plainWords } from './head.js';
import { languageOf, PAGE_WORDS, type PageWords } from './languages.js';
import { cachedReceipts, wordsOfTrade, type SharedReceipt } from './receipt-words.js';
import { sitemapOf } from './sitemap.js';
import { wordsOf, cachedTokens } from './token-words.js';
import type { Config } from '../config/config.js';

const NEVER_KEPT_UNASKED = 'public, max-age=0, must-revalidate';

type Shown = PageName | typeof NOT_FOUND;

interface Content {
  readonly isFound: boolean;
  readonly token?: Token | undefined;
  readonly receipt?: SharedReceipt | undefined;
  readonly first?: FirstValues | undefined;
}

const PATHS = Object.values<string>(PAGES);
const SITEMAP = '/sitemap.xml';
const WHOLE_PATHS = new Set([SITEMAP, ...PATHS.filter((path) => !path.includes(':'))]);
const PATH_BEGINNINGS = PATHS.flatMap((path) => /^(.+):/.exec(path)?.slice(1) ?? []);

function isPagePath(path: string): boolean {
  return (
    WHOLE_PATHS.has(path) ||
    (path.endsWith('/') && WHOLE_PATHS.has(path.slice(0, -1))) ||
    PATH_BEGINNINGS.some((beginning) => path.startsWith(beginning))
  );
}

export interface Page extends PageHandlers {
  readonly isBuilt: boolean;
}

/** The configured page. Logs a warning when it is not built. */
export function createPage(context: Context, market: MarketConfig): Page {
  const folder = context.config.web.folder ?? DEFAULT_FOLDER;
  const page = readBuiltPage(folder);
  if (page !== undefined)
    return { isBuilt: true, ...builtPage(withName(page, context.config.serviceName), context, market) };
  const fix = 'run `npm run build` in the repository and start again, or set WEB_FOLDER to a built page';
  context.logger.info({ folder }, `there is no web page: ${fix}`);
  return { isBuilt: false, ...withoutPage(`The web page is not built: ${fix}`) };
}

function builtPage(page: BuiltPage, { config, database }: Context, market: MarketConfig): PageHandlers {
  const { serviceName, http } = config;
  const headers = pageHeaders(config.web, page);
  const languages = [...page.documents.keys()];
  const documents = new Map(languages.map((code) => [code, readyDocument(page, code)]));
  const tokenOf = cachedTokens(database);
  const originOf = (request: Request): string =>
    http.publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`;
  const soon = cachedSoon(database);
  const receiptOf = cachedReceipts(database);

  function send(request: Request, response: Response, name: Shown, content: Content): void {
    const { isFound, token, receipt, first } = content;
    const language = languageOf(request, response, languages);
    const words = PAGE_WORDS[language];
    const { html, preloads } = documents.get(language)!;
    const origin = originOf(request);
    const isBoard = name === 'board' && Object.keys(request.query).every((key) => key === LANGUAGE_KEY);
    const hasShell = isFound && (isBoard || name === 'launch' || token !== undefined);
    const document = hasShell
      ? withShell(html, {
          ...{ serviceName, path: request.path, token, words },
          config: request.headers.cookie?.includes(INTRO_CLOSED) === true ? undefined : first?.config,
        })
      : html;
    const [title, description] = saidOf(isFound ? name : NOT_FOUND, content, words);
    const whole = withHead(document, serviceName, {
      title: `${title} · ${serviceName}`,
      description,
      url: origin + request.path,
      image: isFound ? origin + pictureOf(token, receipt) : undefined,
      languages,
      preloads: preloads.get(name) ?? [],
      isMissing: !isFound,
      first,
    });
    response
      .status(isFound ? 200 : 404)
      .set(headers)
      .set('Cache-Control', NEVER_KEPT_UNASKED)
      .set('ETag', etagOf(whole))
      .type('html')
      .vary('Accept-Encoding');
    if (request.fresh) return void response.status(304).end();
    if (request.acceptsEncodings(['gzip', 'identity']) !== 'gzip') return void response.end(whole);
    response.set('Content-Encoding', 'gzip').end(gzipSync(whole));
  }

  const contentOf = async (name: PageName, { address, signature }: Request['params']): Promise<Content> => {
    if (name === 'receipt') {
      const receipt = await receiptOf(String(signature));
      return { isFound: receipt !== undefined, receipt, first: await firstValues(market, {}) };
    }
    if (name !== 'token') {
      if (address !== undefined && !isAddress(address)) return { isFound: false };
      return { isFound: true, first: await firstValues(market, name === 'board' ? { soon: soon() } : {}) };
    }
    const token = isAddress(address) ? await tokenOf(address) : undefined;
    return { isFound: token !== undefined, token, first: await firstValues(market, { token }) };
  };

  const pages = (limit: RequestHandler): Router => {
    const router = Router({ caseSensitive: true });
    router.get(SITEMAP, limit, sitemapOf(database, originOf));
    for (const name of PAGE_NAMES) router.get(PAGES[name], limit, document(name));
    const ofBrokenPath: ErrorRequestHandler = (error: unknown, request, response, next) => {
      if (error instanceof URIError) limit(request, response, missing(request, response, next));
      else next(error);
    };
    router.use(ofBrokenPath);
    return router;
  };
  const document =
    (name: PageName): RequestHandler =>
    async (request, response) => {
      // The page works without them: it loads its data itself, and shows what is unavailable.
      const content = await contentOf(name, request.params).catch((error: unknown): Content => {
        request.log.error(
          error,
          "reading what a token's page says in its head failed; the page is served without it. If that lasts, run `curvekit doctor`",
        );
        return { isFound: true };
      });
      send(request, response, name, content);
    };
  const missing =
    (request: Request, response: Response, next: NextFunction): NextFunction =>
    (error?: unknown) => {
      if (error === undefined) send(request, response, NOT_FOUND, { isFound: false });
      else next(error);
    };
  const sendFile = pageFiles(page, headers);
  // Checked before the router, because a router that does not answer costs the request a turn of the event loop. Most
  // requests are for the APIs.
  const ownPaths = (limit: RequestHandler): RequestHandler => {
    const router = pages(limit);
    return (request, response, next) => {
      if (isPagePath(request.path)) router(request, response, next);
      else sendFile(request, response, next);
    };
  };
  const notFound =
    (limit: RequestHandler): RequestHandler =>
    (request, response, next) => {
      if (isReading(request) && wantsPage(request))
        limit(request, response, missing(request, response, next));
      else next();
    };
  return { router: ownPaths, notFound };
}

/** What is the same for every request: a document has 50 kB with its styles. */
function readyDocument(page: BuiltPage, language: Language) {
  const { html, manifest } = page.documents.get(language)!;
  const { noScript } = PAGE_WORDS[language].sharedWords;
  return {
    html: html.replace(/(?<=<noscript>)[^<]*/, noScript),
    preloads: new Map<Shown, readonly string[]>(
      ([...PAGE_NAMES, NOT_FOUND] as const).map((name) => [name, preloadsOf(manifest, name)]),
    ),
  };
}

function pictureOf(token: Token | undefined, receipt: SharedReceipt | undefined): string {
  if (receipt !== undefined) return `/og/r/${receipt.trade.signature}.png`;
  return token === undefined ? '/share.png' : `/og/${token.mint}.png`;
}

/** Title and description of a page: those of its token or trade, if it has one. A page whose token cannot be read says the board's. */
function saidOf(name: Shown, { token, receipt }: Content, words: PageWords): readonly [string, string] {
  const { board, descriptions, missing } = words.sharedWords;
  if (name === NOT_FOUND) return [missing[0], missing[1]];
  if (receipt !== undefined) return wordsOfTrade(receipt, words);
  if (token !== undefined) {
    const { title, description } = wordsOf(token, words);
    return [title, description];
  }
  if (name === 'board' || name === 'token' || name === 'receipt') return [board, descriptions.board];
  return [words.pageTitles[name], descriptions[name]];
}

function withName(page: BuiltPage, serviceName: string): BuiltPage {
  const path = '/manifest.webmanifest';
  const file = page.files.get(path);
  if (file === undefined) return page;
  const manifest = JSON.parse(file.bytes.toString('utf8')) as object;
  const text = JSON.stringify({ ...manifest, name: serviceName, short_name: serviceName });
  const named = { ...file, bytes: Buffer.from(text), br: undefined, gzip: undefined, etag: etagOf(text) };
  return { ...page, files: new Map([...page.files, [path, named]]) };
}

/** Handlers without a built page: its paths answer with the reason. */
function withoutPage(message: string): PageHandlers {
  const body = envelopeErrors.body(new HttpProblem(404, 'PAGE_NOT_BUILT', message));
  const router = Router({ caseSensitive: true });
  for (const path of PATHS) router.get(path, (_request, response) => sendJson(response, 404, body));
  return { router: () => router, notFound: () => (_request, _response, next) => next() };
}

function isAddress(text: unknown): text is string {
  return typeof text === 'string' && decodeBase58(text, ADDRESS_BYTES) !== undefined;
}

/** Whether the client asks for HTML rather than JSON, as browsers do. */
function wantsPage(request: Request): boolean {
  request.res?.vary('Accept');
  return request.accepts(['json', 'html']) === 'html';
}

// Serves the page's files compressed, with caching headers.

const FOR_EVER = 'public, max-age=31536000, immutable';
const FOR_AN_HOUR = 'public, max-age=3600';

/** @param headers the page's: a worker takes its security policy from its own file */
function pageFiles({ files }: BuiltPage, headers: Readonly<Record<string, string>>): RequestHandler {
  return (request, response, next) => {
    const file = isReading(request) ? files.get(request.path) : undefined;
    if (file === undefined) next();
    else sendFile(request, response.set(headers), file);
  };
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function sendFile(request: Request, response: Response, file: PageFile): void {
  response
    .type(file.extension)
    .set('Cache-Control', file.isImmutable ? FOR_EVER : FOR_AN_HOUR)
    .set('ETag', file.etag)
    .vary('Accept-Encoding');
  if (request.fresh) return void response.status(304).end();
  const { encoding, bytes } = bestOf(request, file);
  if (encoding !== undefined) response.set('Content-Encoding', encoding);
  response.set('Content-Length', String(bytes.length)).end(bytes);
}

function bestOf(request: Request, { bytes, br, gzip }: PageFile) {
  const offered = { br, gzip };
  const names = (['br', 'gzip'] as const).filter((name) => offered[name] !== undefined);
  const encoding = request.acceptsEncodings([...names, 'identity']);
  if (encoding !== 'br' && encoding !== 'gzip') return { encoding: undefined, bytes };
  return { encoding, bytes: offered[encoding]! };
}

// The HTML that a page shows before its script runs: the header, and the heading at its final position. The script takes it
// over.

const NAMELESS = '—';

/** The empty element that the page's script renders into. */
const EMPTY_ROOT = '<div id="root"></div>';

interface Shell {
  readonly serviceName: string;
  readonly path: string;
  readonly token: Token | undefined;
  readonly words: PageWords;
  /** Of a board with an introduction. */
  readonly config: FirstValues['config'] | undefined;
}

function withShell(html: string, { serviceName, path, token, words, config }: Shell): string {
  const links = (Object.keys(words.pageLinks) as (keyof PageWords['pageLinks'])[]).map(
    (name) =>
      `<a href="${PAGES[name]}"${PAGES[name] === path ? ' aria-current="page"' : ''}>${words.pageLinks[name]}</a>`,
  );
  const shell = [
    `<header class="top"><div class="row"><span class="brand">${escape(serviceName)}</span></div></header>`,
    `<nav class="phone-tabs" aria-label="${words.sharedWords.pages}">${links.join('')}</nav>`,
    `<main class="page" aria-busy="true">${token === undefined ? headingOf(path, words, config) : tokenHeading(token)}</main>`,
  ];
  // A function, because a replacement string would interpret a name such as `$&`.
  return html.replace(EMPTY_ROOT, () => `<div id="root">${shell.join('')}</div>`);
}

function headingOf(path: string, words: PageWords, config: Shell['config']): string {
  const { pageTitles, sharedWords } = words;
  if (path !== PAGES.board) return section(pageTitles.launch);
  const search = `<input type="search" aria-label="${sharedWords.search}" disabled>`;
  return `<div class="phone-nav only-phone"><div class="search">${search}</div></div>${section(sharedWords.tokens)}${config ? introOf(config, words) : ''}`;
}

/** The largest text of the board. The page keeps the element, so that it counts as painted from here on. */
function introOf(config: NonNullable<Shell['config']>, { introWords }: PageWords): string {
  const steps = introWords
    .steps(sol(goalOf(config)), config.graduation)
    .map(([title, text]) => `<li><b>${title}</b> ${text}</li>`);
  const launch = `<a class="btn quiet lesser" href="${PAGES.launch}">${introWords.launch}</a>`;
  return `<section class="intro card"><ol>${steps.join('')}</ol><div class="more-of-it">${launch}</div></section>`;
}

const section = (heading: string): string => `<div class="section"><h1>${heading}</h1></div>`;

function tokenHeading({ name, symbol }: Token): string {
  const text = (words: string) => escape(plainWords(words) || NAMELESS);
  const heading = `<h1>${text(name)} <span class="muted">${text(symbol)}</span></h1>`;
  // Has the same size as the content that the script renders.
  const below = '<div class="sub"><span class="copy"></span></div>';
  return `<div class="head"><div class="head-art"></div><div class="head-names">${heading}${below}</div></div>`;
}

/** Security headers of the page: no foreign script runs, no foreign content loads, no other page frames it. */
function pageHeaders({ node }: Config['web'], { documents }: BuiltPage): Readonly<Record<string, string>> {
  const styles = new Set([...documents.values()].flatMap(({ styleHash }) => styleHash ?? []));
  // Only the origin, because the URL's path may contain an access token.
  const nodes = node === undefined ? [] : [new URL(node.rpcUrl).origin, new URL(node.wsUrl).origin];
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      ["style-src 'self'", ...styles].join(' '),
      // Wallets provide their icons as data URLs.
      "img-src 'self' data:",
      // Wallet apps of Android listen on the device. See docs/decisions/web-page.md.
      ["connect-src 'self'", ...new Set(nodes), 'ws://localhost:*', 'http://localhost'].join(' '),
      "font-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      // The page's only policy. It makes the URL of its worker.
      'trusted-types worker offline',
    ].join(';'),
    // Wallets that open a window need `window.opener`.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'X-Frame-Options': 'DENY',
  };
}

/** All scripts that a page needs, imports included, so that the browser can load them in parallel. */
function preloadsOf(manifest: Manifest, name: string): string[] {
  const files = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  visit(`src/pages/${name}.tsx`);
  return [...files].map((file) => `/${file}`);
}

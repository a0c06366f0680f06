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
import type { Context } from '../context.js';
import type { PageHandlers } from '../http/app.js';
import { envelopeErrors } from '../http/error-shapes.js';
import { HttpProblem } from '../http/problem.js';
import { sendJson } from '../http/route.js';
import { base58Bytes } from '../http/schemas.js';
import type { MarketConfig } from '../market/config.js';
import type { Token } from '../market/reads/token.js';
import { DEFAULT_FOLDER, etagOf, readBuiltPage, type BuiltPage } from './built-page.js';
import { isReading, pageFiles } from './files.js';
import { firstValues, type FirstValues } from './first-values.js';
import { withHead } from './head.js';
import { preloadsOf } from './preloads.js';
import { withShell } from './shell.js';
import { pageHeaders } from './security-policy.js';
import { keptTokens } from './kept-tokens.js';
import { wordsOf } from './token-words.js';

const ADDRESS_BYTES = 32;
const NEVER_KEPT_UNASKED = 'public, max-age=0, must-revalidate';
const ABOUT = 'Launch and trade tokens on Solana, on a bonding curve that ends in a pool.';

/** The tags of a path, without its URL. */
interface Words {
  readonly title: string;
  readonly description: string;
  /** Path of the picture. */
  readonly image?: string;
}

interface Content {
  /** Undefined when the path has no page. */
  readonly words?: Words | undefined;
  /** The token of the path. */
  readonly token?: Token | undefined;
  readonly first?: FirstValues | undefined;
}

/** Paths with fixed tags. The other paths are about a token or a wallet. */
const WORDS: Readonly<Record<string, Words>> = {
  board: { title: 'Launch and trade tokens', description: ABOUT },
  launch: { title: 'Launch a token', description: 'A name, a picture, and it trades: no code, no deposit.' },
  wallet: { title: 'Wallet', description: 'What a wallet holds, has launched and has traded.' },
  rewards: { title: 'Rewards', description: 'See what your wallet has earned, and claim it.' },
  terms: { title: 'Terms', description: 'What this launchpad does, what it costs and what can go wrong.' },
  missing: { title: 'Not found', description: 'There is no such page.' },
};

const PATHS: Readonly<Record<string, string>> = {
  '/': 'board',
  '/t/:mint': 'token',
  '/launch': 'launch',
  '/w/:address': 'wallet',
  '/rewards': 'rewards',
  '/terms': 'terms',
};

const WHOLE_PATHS = new Set(Object.keys(PATHS).filter((path) => !path.includes(':')));
const PATH_BEGINNINGS = Object.keys(PATHS).flatMap((path) => /^(.+):/.exec(path)?.slice(1) ?? []);

function isPagePath(path: string): boolean {
  return (
    WHOLE_PATHS.has(path) ||
    (path.endsWith('/') && WHOLE_PATHS.has(path.slice(0, -1))) ||
    PATH_BEGINNINGS.some((beginning) => path.startsWith(beginning))
  );
}

export interface Page extends PageHandlers {
  /** Whether a built page exists. */
  readonly isBuilt: boolean;
}

/** The configured page. Logs a warning when it is not built. */
export function createPage(
  context: Pick<Context, 'config' | 'database' | 'logger'>,
  market: MarketConfig,
): Page {
  const folder = context.config.web.folder ?? DEFAULT_FOLDER;
  const page = readBuiltPage(folder);
  if (page !== undefined) return { isBuilt: true, ...builtPage(page, context, market) };
  const fix = 'run `npm run build` in the repository and start again, or set WEB_FOLDER to a built page';
  context.logger.info({ folder }, `there is no web page: ${fix}`);
  return { isBuilt: false, ...withoutPage(`The web page is not built: ${fix}`) };
}

function builtPage(
  page: BuiltPage,
  { config, database }: Pick<Context, 'config' | 'database'>,
  market: MarketConfig,
): PageHandlers {
  const { serviceName, http } = config;
  const headers = pageHeaders(config.web);
  const tokenOf = keptTokens(database);

  function send(request: Request, response: Response, name: string, content: Content): void {
    const { words, token, first } = content;
    const { title, description, image }: Words = words ?? WORDS['missing']!;
    const origin = http.publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`;
    const isBoard = name === 'board' && Object.keys(request.query).length === 0;
    const hasShell = words !== undefined && (isBoard || token !== undefined);
    const document = hasShell ? withShell(page.html, serviceName, request.path, token) : page.html;
    const html = withHead(document, serviceName, {
      title: `${title} · ${serviceName}`,
      description,
      url: origin + request.path,
      image: image === undefined ? undefined : origin + image,
      preloads: preloadsOf(page.manifest, name),
      isMissing: words === undefined,
      first,
    });
    response
      .status(words === undefined ? 404 : 200)
      .set(headers)
      .set('Cache-Control', NEVER_KEPT_UNASKED)
      .set('ETag', etagOf(html))
      .type('html')
      .vary('Accept-Encoding');
    if (request.fresh) return void response.status(304).end();
    if (request.acceptsEncodings(['gzip', 'identity']) !== 'gzip') return void response.end(html);
    response.set('Content-Encoding', 'gzip').end(gzipSync(html));
  }

  const contentOf = async (name: string, { mint, address }: Request['params']): Promise<Content> => {
    if (name === 'wallet' && !isAddress(address)) return {};
    const token = name === 'token' && isAddress(mint) ? await tokenOf(mint) : undefined;
    const words = token && { ...wordsOf(token), image: `/og/${token.mint}.png` };
    return { words: name === 'token' ? words : WORDS[name], token, first: await firstValues(market, token) };
  };

  const pages = (limit: RequestHandler): Router => {
    const router = Router({ caseSensitive: true });
    for (const [path, name] of Object.entries(PATHS)) router.get(path, isOwn(name), limit, document(name));
    const ofBrokenPath: ErrorRequestHandler = (error: unknown, request, response, next) => {
      if (error instanceof URIError) limit(request, response, missing(request, response, next));
      else next(error);
    };
    router.use(ofBrokenPath);
    return router;
  };
  const document =
    (name: string): RequestHandler =>
    async (request, response) => {
      // The page works without them: it loads its data itself, and shows what is unavailable.
      const content = await contentOf(name, request.params).catch((error: unknown): Content => {
        request.log.error(
          error,
          "reading what a token's page says in its head failed; the page is served without it",
        );
        return { words: WORDS['board'] };
      });
      send(request, response, name, content);
    };
  const missing =
    (request: Request, response: Response, next: NextFunction): NextFunction =>
    (error?: unknown) => {
      if (error === undefined) send(request, response, 'missing', {});
      else next(error);
    };
  const sendFile = pageFiles(page);
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

/** Handlers without a built page: its paths answer with the reason. */
function withoutPage(message: string): PageHandlers {
  const body = envelopeErrors.body(new HttpProblem(404, 'PAGE_NOT_BUILT', message));
  const router = Router({ caseSensitive: true });
  for (const path of Object.keys(PATHS)) {
    if (path !== '/rewards') router.get(path, (_request, response) => sendJson(response, 404, body));
  }
  return { router: () => router, notFound: () => (_request, _response, next) => next() };
}

/** The Rewards API shares a path with the page. Only browsers get the page. */
function isOwn(name: string): RequestHandler {
  return (request, _response, next) => next(name === 'rewards' && !wantsPage(request) ? 'route' : undefined);
}

function isAddress(text: unknown): text is string {
  return typeof text === 'string' && base58Bytes(text, ADDRESS_BYTES) !== undefined;
}

/** Whether the client asks for HTML rather than JSON, as browsers do. */
function wantsPage(request: Request): boolean {
  request.res?.vary('Accept');
  return request.accepts(['json', 'html']) === 'html';
}

// `GET /sitemap.xml`: the pages that are the same for everybody, and the tokens that were traded last.
import type { Request, Response } from 'express';
import { PAGES } from '../../../web/src/pages/table.js';
import { Cache } from '../base/cached-value.js';
import type { Database } from '../db/database.js';
import { tokenPage } from '../market/reads/tokens.js';
import { escape } from './head.js';

const MOST_TOKENS = 1_000;
const KEPT_MS = 3_600_000;

/** @param originOf public origin of the service that a request has reached */
export function sitemapOf(database: Database, originOf: (request: Request) => string) {
  const kept = new Cache<readonly string[]>(KEPT_MS, 1);
  const read = async () => {
    const { items } = await database.read((db) => tokenPage(db, { sort: 'lastTrade', limit: MOST_TOKENS }));
    return items.map(({ mint }) => PAGES.token.replace(':address', mint));
  };
  return async (request: Request, response: Response): Promise<void> => {
    const origin = originOf(request);
    const own = Object.values<string>(PAGES).filter((path) => !path.includes(':'));
    const urls = [...own, ...(await kept.get('tokens', read))].map(
      (path) => `<url><loc>${escape(origin + path)}</loc></url>`,
    );
    // A request names its own host, so no shared cache may keep the answer.
    response.set('Cache-Control', 'private, max-age=3600').type('xml')
      .send(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>
`);
  };
}

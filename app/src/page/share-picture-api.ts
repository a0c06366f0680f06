// `GET /og/{mint}.png`
import type { Request, Response } from 'express';
import pLimit from 'p-limit';
import { Cache } from '../base/cached-value.js';
import type { Context } from '../context.js';
import type { Api } from '../http/api.js';
import { envelopeErrors, TOKEN_NOT_FOUND } from '../http/error-shapes.js';
import { HttpProblem } from '../http/problem.js';
import { defineRoute, type Route } from '../http/route.js';
import { addressSchema } from '../http/schemas.js';
import { z } from '../http/zod.js';
import type { Token } from '../market/reads/token.js';
import type { Library } from '../tokens/pictures/library.js';
import { pictureIn } from '../tokens/pictures/document.js';
import { cachedTokens } from './token-words.js';
import { sharePicture } from './share-picture.js';

const PATH = '/og/{mint}.png';
const KEPT_MS = 60_000;
const MOST_KEPT = 200;
/** Drawing a picture takes about 50 ms of CPU. */
const drawing = pLimit(1);

export function sharePictureApi({ config, database }: Context, library: Library): Api {
  const tokenOf = cachedTokens(database);
  const kept = new Cache<Buffer>(KEPT_MS, MOST_KEPT);

  async function draw(token: Token): Promise<Buffer> {
    const hash = token.image === null ? undefined : pictureIn(token.image);
    const picture = hash === undefined ? undefined : await library.readShown('picture', hash);
    return drawing(() => sharePicture(token, config.serviceName, picture));
  }

  async function handle({ params }: Request, response: Response): Promise<void> {
    const token = await tokenOf(String(params['mint']));
    if (token === undefined) throw new HttpProblem(404, TOKEN_NOT_FOUND.code, TOKEN_NOT_FOUND.description);
    const png = await kept.get(token.mint, () => draw(token));
    response
      .set({
        'Cache-Control': 'public, max-age=60',
        'Content-Length': String(png.length),
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
      .type('png')
      .end(png);
  }

  return {
    name: 'og',
    description: 'Pictures of tokens for shared links',
    prefix: '/og',
    errors: envelopeErrors,
    kind: 'share',
    routes: [{ ...documented(), answerType: 'image/png', handle }],
  };
}

function documented(): Route {
  return defineRoute({
    method: 'get',
    path: PATH,
    operationId: 'getSharePicture',
    summary: 'A picture of a token for shared links, 1200 × 630',
    params: z.strictObject({ mint: addressSchema("the token's address") }),
    answer: z.string().openapi({ format: 'binary' }),
    answerDescription: 'The picture, as it was within the last minute',
    errors: [TOKEN_NOT_FOUND],
    handler: () => Promise.reject(new Error('a picture is not JSON')),
  });
}

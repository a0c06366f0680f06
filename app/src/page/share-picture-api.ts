// `GET /og/{mint}.png` and `GET /og/r/{signature}.png`
import type { Request, Response } from 'express';
import pLimit from 'p-limit';
import { Cache } from '../base/cached-value.js';
import type { Context } from '../context.js';
import type { Api } from '../http/api.js';
import { envelopeErrors, noToken, noTrade, TOKEN_NOT_FOUND, TRADE_NOT_FOUND } from '../http/error-shapes.js';
import { defineRoute } from '../http/route.js';
import { addressSchema, signatureSchema } from '../http/schemas.js';
import { z } from '../http/zod.js';
import type { Library } from '../tokens/pictures/library.js';
import { pictureIn } from '../tokens/pictures/document.js';
import { cachedReceipts } from './receipt-words.js';
import { sharePicture, shownOfToken, shownOfTrade, type Shown } from './share-picture.js';
import { cachedTokens } from './token-words.js';

const KEPT_MS = 60_000;
const MOST_KEPT = 200;
/** Drawing a picture takes about 50 ms of CPU. */
const drawing = pLimit(1);

export function sharePictureApi({ config, database }: Context, library: Library): Api {
  const tokenOf = cachedTokens(database);
  const receiptOf = cachedReceipts(database);
  const kept = new Cache<Buffer>(KEPT_MS, MOST_KEPT);

  async function draw(shown: Shown): Promise<Buffer> {
    const { image } = shown.token;
    const hash = image === null ? undefined : pictureIn(image);
    const picture = hash === undefined ? undefined : await library.readShown('picture', hash);
    return drawing(() => sharePicture(shown, config.serviceName, picture));
  }

  async function send(response: Response, key: string, shown: Shown): Promise<void> {
    const png = await kept.get(key, () => draw(shown));
    response
      .set({
        'Cache-Control': 'public, max-age=60',
        'Content-Length': String(png.length),
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
      .type('png')
      .end(png);
  }

  async function sendToken({ params }: Request, response: Response): Promise<void> {
    const token = await tokenOf(String(params['mint']));
    if (token === undefined) throw noToken();
    await send(response, token.mint, shownOfToken(token));
  }

  async function sendReceipt({ params }: Request, response: Response): Promise<void> {
    const receipt = await receiptOf(String(params['signature']));
    if (receipt === undefined) throw noTrade();
    await send(response, receipt.trade.signature, shownOfTrade(receipt));
  }

  return {
    name: 'og',
    description: 'Pictures of tokens and trades for shared links',
    prefix: '/og',
    errors: envelopeErrors,
    kind: 'share',
    routes: [
      { ...OF_TOKEN, answerType: 'image/png', handle: sendToken },
      { ...OF_RECEIPT, answerType: 'image/png', handle: sendReceipt },
    ],
  };
}

const PICTURE = {
  method: 'get',
  answer: z.string().openapi({ format: 'binary' }),
  answerDescription: 'The picture, as it was within the last minute',
  handler: () => Promise.reject(new Error('a picture is not JSON')),
} as const;

const OF_TOKEN = defineRoute({
  ...PICTURE,
  path: '/og/{mint}.png',
  operationId: 'getSharePicture',
  summary: 'A picture of a token for shared links, 1200 × 630',
  params: z.strictObject({ mint: addressSchema("the token's address") }),
  errors: [TOKEN_NOT_FOUND],
});

const OF_RECEIPT = defineRoute({
  ...PICTURE,
  path: '/og/r/{signature}.png',
  operationId: 'getReceiptPicture',
  summary: 'A picture of a trade for shared links, 1200 × 630',
  params: z.strictObject({ signature: signatureSchema('the transaction') }),
  errors: [TRADE_NOT_FOUND],
});

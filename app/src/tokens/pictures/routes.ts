// Uploads of pictures with their metadata, and the files by their hashes.
import type { Request, Response } from 'express';
import pLimit from 'p-limit';
import { answersOf, holdBytes } from '../../http/admission.js';
import type { Api } from '../../http/api.js';
import { envelopeErrors } from '../../http/error-shapes.js';
import { HttpProblem, invalid } from '../../http/problem.js';
import type { RawRequest } from '../../http/raw-request.js';
import { defineRoute, type Route } from '../../http/route.js';
import type { Shares } from '../../http/shares.js';
import { INVALID_SIGNATURE, SIGNED, type WalletAuth } from '../../http/wallet-auth.js';
import { signedMessageHeader } from '../../http/wallet-schemas.js';
import { z } from '../../http/zod.js';
import type { DailyLimit } from './daily-limit.js';
import { documentText, documentPath, picturePath, LINKS, type Links } from './document.js';
import { encodePicture, PictureRefusedError } from './encode.js';
import type { FileKind, Library } from './library.js';
import { creatorIn, readUpload, uploadForm, type Upload } from './upload-form.js';

/** Longest uri that the program accepts. */
const LONGEST_URI = 200;
/** A form is copied several times while it is parsed. */
const processing = pLimit(2);
const FOR_EVER = 'public, max-age=31536000, immutable';

export interface UploadParts {
  readonly library: Library;
  readonly auth: WalletAuth;
  readonly limit: DailyLimit;
  readonly publicUrl: string | undefined;
}

/** `POST /v1/market/uploads` */
export function uploadsApi(parts: UploadParts): Api {
  const { auth } = parts;
  return {
    name: 'uploads',
    description: 'Pictures and metadata of tokens that are about to be launched',
    prefix: '/v1/market/uploads',
    errors: envelopeErrors,
    kind: 'upload',
    routes: [
      defineRoute({
        method: 'post',
        path: '/v1/market/uploads',
        operationId: 'uploadPicture',
        summary: 'Keep a picture with its metadata, for the token that the wallet launches next',
        description:
          'The picture is decoded, cut to a square and kept as 512×512 WebP; `uri` is for `createToken`. The wallet in `creator` ' +
          'signs the request in the scheme `bound`. Files that no token has after a day are removed.',
        security: SIGNED,
        headers: z.object({
          'x-signature-scheme': z.literal('bound'),
          'x-signed-message': signedMessageHeader,
        }),
        form: uploadForm,
        precheck: (raw) => {
          if (raw.header('x-signature-scheme') === 'bound') auth.checkHeaders(raw);
          else throw invalid([{ field: 'x-signature-scheme', message: 'must be one of bound' }]);
        },
        answer: z.object({
          uri: z.string().openapi({ description: 'Of the metadata, for `createToken`' }),
          image: z.string().openapi({ description: 'Path of the picture' }),
        }),
        answerDescription: 'Both are kept',
        errors: [INVALID_SIGNATURE],
        handler: ({ raw }) => processing(() => keepUpload(parts, raw)),
      }),
    ],
  };
}

async function keepUpload({ library, auth, limit, publicUrl }: UploadParts, raw: RawRequest) {
  const contentType = raw.header('content-type');
  // The signature comes before the form is parsed, which takes longer. Without a creator there is nobody to verify.
  const creator = creatorIn(raw.body);
  const proof = creator === undefined ? undefined : await auth.verify(raw, creator);
  const upload = await readUpload(contentType, raw.body);
  if (proof === undefined || upload.creator !== creator)
    throw invalid([{ field: 'creator', message: 'must be a field of the form without further headers' }]);
  await auth.useOnce(proof);
  await limit.count(upload.creator, raw.ip);
  const origin = publicUrl?.replace(/\/+$/, '') ?? raw.origin;
  const picture = await library.keep('picture', await encodeOrRefuse(upload.image));
  const image = picturePath(picture);
  const text = documentText({ ...described(upload), image: origin + image });
  const uri = origin + documentPath(await library.keep('document', Buffer.from(text)));
  if (Buffer.byteLength(uri) > LONGEST_URI)
    throw new Error(`PUBLIC_URL is too long: the uri ${uri} has more than ${LONGEST_URI} bytes; shorten it`);
  return { uri, image };
}

function described({ name, symbol, description = '', ...upload }: Upload) {
  const links: Links = Object.fromEntries(
    LINKS.flatMap((link) =>
      upload[link] === undefined || upload[link] === '' ? [] : [[link, upload[link]]],
    ),
  );
  return { name, symbol, description, links };
}

async function encodeOrRefuse(image: Uint8Array): Promise<Buffer> {
  try {
    return await encodePicture(image);
  } catch (error) {
    if (error instanceof PictureRefusedError) throw invalid([{ field: 'image', message: error.message }]);
    throw error;
  }
}

/** `GET /v1/market/images/{hash}.webp` and `GET /v1/market/metadata/{hash}.json` */
export function filesApis(library: Library): Api[] {
  const answers = answersOf('file');
  const api = (name: string, prefix: string, route: Route): Api => ({
    name,
    description: 'Files by the hash of their content',
    prefix,
    errors: envelopeErrors,
    kind: 'file',
    routes: [route],
  });
  return [
    api(
      'images',
      '/v1/market/images',
      fileRoute({ library, answers }, 'picture', 'image/webp', picturePath('{hash}')),
    ),
    api(
      'metadata',
      '/v1/market/metadata',
      fileRoute({ library, answers }, 'document', 'application/json', documentPath('{hash}')),
    ),
  ];
}

interface FileParts {
  readonly library: Library;
  readonly answers: Shares;
}

function fileRoute({ library, answers }: FileParts, kind: FileKind, type: string, path: string): Route {
  const route = defineRoute({
    method: 'get',
    path,
    operationId: kind === 'picture' ? 'getImage' : 'getMetadata',
    summary: kind === 'picture' ? "A token's picture" : "A token's metadata, as it was uploaded here",
    params: z.strictObject({
      hash: z.string().openapi({ description: 'SHA-256 of the content, in hex', pattern: '^[0-9a-f]{64}$' }),
    }),
    answer: kind === 'picture' ? z.string().openapi({ format: 'binary' }) : z.looseObject({}),
    answerDescription: 'The file, which never changes',
    handler: () => Promise.reject(new Error('files are not JSON')),
  });
  const handle = async (request: Request, response: Response) => {
    const hash = String(request.params['hash']);
    const hold = (size: number) => holdBytes(answers, request, size, 'files that are not read yet');
    const bytes = /^[0-9a-f]{64}$/.test(hash) ? await library.readShown(kind, hash, hold) : undefined;
    if (bytes === undefined) throw new HttpProblem(404, 'NOT_FOUND', 'There is no such file');
    response
      .set({
        'Cache-Control': FOR_EVER,
        // Other origins may show the file. Nothing in it can run.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Content-Length': String(bytes.length),
      })
      .type(type)
      .end(bytes);
  };
  return { ...route, answerType: type, handle };
}

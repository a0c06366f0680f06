// Reads an answer's body within its limit, compressed or not.
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { FetchRefusedError } from './refused.js';

/** Servers compress once. More layers are a bomb. */
const MOST_CODINGS = 2;
/** The first byte of deflate data with a zlib header; some servers send it without one. */
const ZLIB_HEADER = 0x78;

const decoders = {
  gzip: promisify(gunzip),
  inflate: promisify(inflate),
  inflateRaw: promisify(inflateRaw),
  br: promisify(brotliDecompress),
};

/** The whole body, decompressed. @throws FetchRefusedError when it, or what it unpacks to, is longer than the limit */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const codings = codingsOf(response.headers['content-encoding']);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLong(maxBytes);
    chunks.push(chunk);
  }
  let bytes: Buffer = Buffer.concat(chunks);
  for (const coding of codings.toReversed()) bytes = await decoded(bytes, coding, maxBytes);
  return bytes;
}

function codingsOf(header: string | undefined): string[] {
  const named = (header ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  const codings = named.filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MOST_CODINGS) throw new FetchRefusedError('the answer is compressed too many times');
  return codings;
}

async function decoded(bytes: Buffer, coding: string, maxBytes: number): Promise<Buffer> {
  const decoder = decoderOf(coding, bytes);
  if (decoder === undefined)
    throw new FetchRefusedError(`the answer has an unknown compression (${coding.slice(0, 20)})`);
  try {
    return await decoder(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(maxBytes, cause);
    throw new FetchRefusedError('the compressed answer is damaged', { cause, temporary: true });
  }
}

function decoderOf(coding: string, bytes: Buffer) {
  if (coding === 'gzip' || coding === 'x-gzip') return decoders.gzip;
  if (coding === 'br') return decoders.br;
  if (coding !== 'deflate') return undefined;
  return bytes[0] === ZLIB_HEADER ? decoders.inflate : decoders.inflateRaw;
}

function tooLong(maxBytes: number, cause?: unknown): FetchRefusedError {
  return new FetchRefusedError(`the answer is longer than ${maxBytes} bytes`, { cause });
}

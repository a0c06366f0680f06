// Untrusted pictures: identified by their first bytes, decoded, and encoded again. The stored file has no byte of the
// original.
import pLimit from 'p-limit';
import { PICTURE_BYTES } from '../../http/bounds.js';

const MOST_PIXELS = 40_000_000;
/** Width and height of every stored picture. */
const SIDE = 512;
const QUALITY = 82;
const TIMEOUT_SECONDS = 10;
/** Limits memory: decoding a picture of 40 megapixels takes 160 MB. */
const AT_ONCE = 2;

/** A refused picture. The message continues "the picture …". */
export class PictureRefusedError extends Error {
  override readonly name = 'PictureRefusedError';
}

type Format = 'png' | 'jpeg' | 'webp' | 'gif';

const decoding = pLimit(AT_ONCE);

/** The first frame of the picture as 512×512 WebP, cut to a square. @throws PictureRefusedError */
export function encodePicture(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.length > PICTURE_BYTES)
    throw new PictureRefusedError(`has ${bytes.length} bytes; at most ${PICTURE_BYTES} are taken`);
  const format = formatOf(bytes);
  if (format === undefined)
    throw new PictureRefusedError('is not a PNG, JPEG, WebP or GIF by its content; send one of these');
  return decoding(() => encode(bytes, format));
}

async function encode(given: Uint8Array, format: Format): Promise<Buffer> {
  const bytes = withEnd(given, format);
  // A warning says that more than the end was missing: half a picture is refused, because a launch is final.
  const failOn = bytes === given ? 'error' : 'warning';
  // Imported on demand: the library takes a while to load.
  const { default: sharp } = await import('sharp');
  const open = () => sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn, sequentialRead: true });
  try {
    const { format: decoder, width, height } = await open().metadata();
    if (decoder !== format) throw new PictureRefusedError(`is read as ${decoder}, but begins as ${format}`);
    if (width * height > MOST_PIXELS) throw tooManyPixels(`${width} × ${height}`);
    return await open()
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'cover' })
      .webp({ quality: QUALITY })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer();
  } catch (cause) {
    if (cause instanceof PictureRefusedError) throw cause;
    if (/pixel limit/i.test((cause as Error).message)) throw tooManyPixels('too many');
    throw new PictureRefusedError('cannot be decoded; send a picture that other programs can open', {
      cause,
    });
  }
}

function tooManyPixels(found: string): PictureRefusedError {
  return new PictureRefusedError(`has ${found} pixels; at most ${MOST_PIXELS} are taken: make it smaller`);
}

/** Adds the marker that ends a JPEG or GIF when it is missing: some programs cut it off, and browsers show such files. */
function withEnd(bytes: Uint8Array, format: Format): Uint8Array {
  const last = bytes.at(-1);
  if (format === 'jpeg') {
    if (last === 0xff) return Buffer.concat([bytes, Buffer.from([0xd9])]);
    if (bytes.at(-2) !== 0xff || last !== 0xd9) return Buffer.concat([bytes, Buffer.from([0xff, 0xd9])]);
  }
  if (format === 'gif' && last !== 0x3b)
    return Buffer.concat([bytes, Buffer.from(last === 0 ? [0x3b] : [0, 0x3b])]);
  return bytes;
}

/** Uses the magic bytes. File names and declared types are not trusted. */
function formatOf(bytes: Uint8Array): Format | undefined {
  const latin = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (latin.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (latin.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (latin.startsWith('RIFF') && latin.endsWith('WEBP')) return 'webp';
  return /^GIF8[79]a/.test(latin) ? 'gif' : undefined;
}

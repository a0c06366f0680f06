// Pictures of ordinary users and of attackers.
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Values of a colour's channels, so far apart that compressed pictures still differ. */
const SHADES = [10, 60, 110, 160, 210, 250];
let made = 0;

/** A picture of one colour with EXIF metadata. The first 216 pictures all differ. */
export function picture(format: 'png' | 'jpeg' | 'webp' | 'gif', width = 700, height = 300): Promise<Buffer> {
  const [r, g, b] = [1, SHADES.length, SHADES.length ** 2].map(
    (step) => SHADES[Math.floor(made / step) % SHADES.length]!,
  ) as [number, number, number];
  made += 1;
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
    .withExif({ IFD0: { Make: 'Secret Camera' } })
    .toFormat(format)
    .toBuffer();
}

/** A picture with details everywhere, so that each part of its file matters. */
export function photo(format: 'jpeg' | 'gif', width = 200, height = 100): Promise<Buffer> {
  const noise = Buffer.from(Array.from({ length: width * height * 3 }, (_, index) => (index * 7_919) >> 3));
  return sharp(noise, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer();
}

/** A PNG of a few bytes that declares any size. */
export function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * Math.min(height, 100)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

// Reads the picture of a launch. Checks its first bytes, not its name. The service decodes it again.
import { launchWords } from '../words/launch.js';

export interface ChosenPicture {
  /** A promise while the browser encodes a crop: Chromium can take 5 s on a busy page. */
  readonly file: Blob | Promise<Blob>;
  /** data: URL for the preview, because the content security policy does not allow blob: URLs. */
  readonly url: string;
}

/** The most that the service takes. */
const MOST_BYTES = 4 * 1024 * 1024;
/** A photo straight from a camera has more pixels than any page shows, and more bytes than the service takes. */
const MOST_SIDE = 1_024;
const BEGINNINGS = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
  [0x52, 0x49, 0x46, 0x46],
];

/**
 * Pictures above the service's limit are made smaller first.
 *
 * @throws Error with a user message for a file that is not a supported picture, or that the browser cannot make smaller
 */
export async function readPicture(file: File): Promise<ChosenPicture> {
  const copy = launchWords;
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (!BEGINNINGS.some((bytes) => bytes.every((byte, index) => byte === start[index])))
    throw new Error(copy.pictureKind);
  if (file.size <= MOST_BYTES) return { file, url: await dataUrl(file) };
  const smaller = await shrunk(file).catch(() => undefined);
  if (smaller === undefined || smaller.size > MOST_BYTES)
    throw new Error(copy.pictureTooLarge((file.size / 1024 / 1024).toFixed(1)));
  return { file: smaller, url: await dataUrl(smaller) };
}

/** The picture with at most `MOST_SIDE` pixels on each side, upright as its camera says. */
async function shrunk(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, MOST_SIDE / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)));
  const smaller = drawn(bitmap, width!, height!);
  bitmap.close();
  return smaller;
}

/** The picture in another size. @throws Error when the browser cannot encode pictures */
function drawn(image: CanvasImageSource, width: number, height: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context !== null) context.imageSmoothingQuality = 'high';
  context?.drawImage(image, 0, 0, width, height);
  return blobOf(canvas);
}

export function dataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error(launchWords.pictureKind));
    reader.readAsDataURL(file);
  });
}

/** The generated art of an address as a picture, for a launch without a picture. */
export async function artPicture(art: SVGSVGElement, size = 512): Promise<Blob> {
  const copy = art.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(size));
  copy.setAttribute('height', String(size));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return drawn(image, size, size);
}

/** @throws Error when the browser cannot encode pictures */
export function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error('the browser draws no pictures')) : resolve(blob),
    ),
  );
}

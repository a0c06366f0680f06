// Crops a square out of a picture.
import { blobOf, dataUrl, type ChosenPicture } from './picture.js';

/** Position and size of the square. */
export interface Crop {
  /** 1: the largest square that fits. 4: a square with a quarter of its side. */
  readonly zoom: number;
  /** Position from left (0) to right (1), and from top (0) to bottom (1). */
  readonly across: number;
  readonly down: number;
}

export const MOST_ZOOM = 4;
/** Side of the service's pictures in pixels. */
const SIDE = 512;
/** The service refuses larger pictures, with an error for the user. */
const MOST_PIXELS = 40_000_000;

interface Size {
  readonly naturalWidth: number;
  readonly naturalHeight: number;
}

/** The square in pixels of the picture. */
export function squareOf({ naturalWidth, naturalHeight }: Size, { zoom, across, down }: Crop) {
  const side = Math.min(naturalWidth, naturalHeight) / zoom;
  return { left: (naturalWidth - side) * across, top: (naturalHeight - side) * down, side };
}

/** The crop after moving the picture by a number of its own pixels. */
export function moved(size: Size, crop: Crop, right: number, down: number): Crop {
  const { side } = squareOf(size, crop);
  const along = (at: number, by: number, room: number) =>
    room > 0 ? Math.min(1, Math.max(0, at - by / room)) : at;
  return {
    ...crop,
    across: along(crop.across, right, size.naturalWidth - side),
    down: along(crop.down, down, size.naturalHeight - side),
  };
}

export function draw(image: HTMLImageElement, crop: Crop, canvas: HTMLCanvasElement): void {
  const { left, top, side } = squareOf(image, crop);
  const context = canvas.getContext('2d');
  context?.clearRect(0, 0, canvas.width, canvas.height);
  context?.drawImage(image, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

/** The decoded picture. Undefined when the browser cannot decode it, or it is too large. */
export async function imageOf({ url }: ChosenPicture): Promise<HTMLImageElement | undefined> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    return undefined;
  }
  return image.naturalWidth * image.naturalHeight > MOST_PIXELS ? undefined : image;
}

/** @throws Error when the browser cannot encode pictures */
export async function cropped(image: HTMLImageElement, crop: Crop): Promise<{ file: Blob; url: string }> {
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  draw(image, crop, canvas);
  const file = await blobOf(canvas);
  return { file, url: await dataUrl(file) };
}

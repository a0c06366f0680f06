// The picture of a shared link: the token, its market cap or a trade, and the position on the curve, to scale.
import { GRADUATION_VIRTUAL_TOKEN } from '@curvekit/sdk';
import { escape, plainWords } from './head.js';
import type { Token } from '../market/reads/token.js';
import { partsOfTrade, type SharedReceipt } from './receipt-words.js';
import { capOf, placeOf } from './token-words.js';

const [WIDTH, HEIGHT] = [1_200, 630];
/** Position and size of the curve, in pixels. */
const PLOT = { left: 80, right: 1_120, top: 330, bottom: 540 };
const PICTURE = 200;
const STEPS = 60;
const LONGEST_NAME = 22;

/** What a picture says beside the token's name and symbol. */
export interface Shown {
  readonly token: Token;
  readonly large: string;
  readonly small: string;
  readonly foot: string;
}

export const shownOfToken = (token: Token): Shown => ({
  token,
  large: `${capOf(token)} SOL`,
  small: 'market cap',
  foot: placeOf(token),
});

/** The token stands where the trade left it. */
export function shownOfTrade(receipt: SharedReceipt): Shown {
  const { venue, virtualToken, slot } = receipt.trade;
  const { what, price } = partsOfTrade(receipt);
  return {
    token: { ...receipt.token, venue, virtualToken },
    large: what,
    small: price,
    foot: `slot ${slot}`,
  };
}

/** @param picture the token's picture, WebP */
export async function sharePicture(
  shown: Shown,
  serviceName: string,
  picture: Buffer | undefined,
): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const base = sharp(Buffer.from(svgOf(shown, serviceName, picture !== undefined)));
  if (picture === undefined) return base.png().toBuffer();
  const corners = Buffer.from(
    `<svg><rect width="${PICTURE}" height="${PICTURE}" rx="28" fill="#fff"/></svg>`,
  );
  const input = await sharp(picture)
    .resize(PICTURE, PICTURE)
    .composite([{ input: corners, blend: 'dest-in' }])
    .png()
    .toBuffer();
  return base
    .composite([{ input, left: PLOT.left, top: 70 }])
    .png()
    .toBuffer();
}

function svgOf({ token, large, small, foot }: Shown, serviceName: string, hasPicture: boolean): string {
  const { name, symbol, venue } = token;
  const left = PLOT.left + (hasPicture ? PICTURE + 40 : 0);
  const accent = venue === 'curve' ? '#3ddc97' : '#f5c451';
  const share = venue === 'curve' ? soldShare(token) : 1;
  const dot = pointAt(token, share);
  const path = (to: number) =>
    Array.from({ length: STEPS + 1 }, (_, step) => pointAt(token, (to * step) / STEPS))
      .map(({ x, y }, step) => `${step === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
      .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="Inter, 'DejaVu Sans', sans-serif">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#0b0e14"/>
<text x="${left}" y="130" font-size="60" font-weight="600" fill="#f2f4f8">${words(name, LONGEST_NAME)}</text>
<text x="${left}" y="180" font-size="30" fill="#8b94a7">${words(symbol, LONGEST_NAME)}</text>
<text x="${left}" y="262" font-size="54" font-weight="600" fill="${accent}">${escape(large)}<tspan font-size="28" font-weight="400" fill="#8b94a7" dx="16">${escape(small)}</tspan></text>
<path d="${path(1)}" fill="none" stroke="#2a3142" stroke-width="6" stroke-linecap="round"/>
<path d="${path(share)}" fill="none" stroke="${accent}" stroke-width="8" stroke-linecap="round"/>
<circle cx="${dot.x.toFixed(1)}" cy="${dot.y.toFixed(1)}" r="14" fill="${accent}" stroke="#0b0e14" stroke-width="5"/>
<text x="${PLOT.left}" y="594" font-size="28" fill="#8b94a7">${escape(foot)}</text>
<text x="${PLOT.right}" y="594" font-size="28" fill="#8b94a7" text-anchor="end">${words(serviceName, LONGEST_NAME)}</text>
</svg>`;
}

/** Fraction of the curve's tokens that is sold, from 0 to 1. */
function soldShare({ virtualToken, initialVirtualToken }: Token): number {
  const [now, first, last] = [virtualToken, initialVirtualToken, GRADUATION_VIRTUAL_TOKEN].map(Number);
  return Math.min(1, Math.max(0, (first! - now!) / (first! - last!)));
}

/** A point of the curve: its price is proportional to 1 / vT². */
function pointAt({ initialVirtualToken }: Token, share: number): { readonly x: number; readonly y: number } {
  const [first, last] = [Number(initialVirtualToken), Number(GRADUATION_VIRTUAL_TOKEN)];
  const priceAt = (sold: number) => 1 / (first - sold * (first - last)) ** 2;
  const height = (priceAt(share) - priceAt(0)) / (priceAt(1) - priceAt(0));
  return {
    x: PLOT.left + share * (PLOT.right - PLOT.left),
    y: PLOT.bottom - height * (PLOT.bottom - PLOT.top),
  };
}

function words(text: string, longest: number): string {
  const letters = [...plainWords(text)];
  return escape(letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : letters.join(''));
}

// Cropping a picture in the launch form. The token then has the cropped picture.
import AxeBuilder from '@axe-core/playwright';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { fundedWallet } from '#tests/browser/chain.js';
import { connect } from '#tests/browser/people.js';
import { stage, visit } from '#tests/browser/stage.js';
import { addWallet } from '#tests/browser/wallets.js';
import { eventually } from '#tests/service/service.js';

const SIDE = 300;
/** Chromium encodes a picture in idle time, and takes up to 5 s on a busy machine. */
const ENCODED_MS = 20_000;
const SLOW_ENCODING_MS = 3_000;
const [RED, GREEN, BLUE] = ['#d02020', '#20b040', '#2040d0'] as const;

/** Three squares side by side. */
function threeColours(): Promise<Buffer> {
  const square = (colour: string, at: number) => ({
    input: { create: { width: SIDE, height: SIDE, channels: 3 as const, background: colour } },
    left: at * SIDE,
    top: 0,
  });
  return sharp({ create: { width: 3 * SIDE, height: SIDE, channels: 3, background: '#fff' } })
    .composite([RED, GREEN, BLUE].map(square))
    .png()
    .toBuffer();
}

/**
 * The nearest of the three colours at the left edge of a square picture, in its middle, and at its right edge. None for a picture
 * that is not square: the form shows it until the browser has encoded its crop.
 */
async function coloursOf(bytes: Buffer): Promise<string[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  if (width !== height) return [];
  return [0.02, 0.5, 0.98].map((x) => {
    const at = (Math.floor(height / 2) * width + Math.floor(x * width)) * 3;
    const distance = (colour: string) =>
      [1, 3, 5]
        .map((from, part) => Math.abs(parseInt(colour.slice(from, from + 2), 16) - data[at + part]!))
        .reduce((sum, each) => sum + each);
    return [RED, GREEN, BLUE].reduce((best, colour) => (distance(colour) < distance(best) ? colour : best));
  });
}

describe('the crop of a picture', function () {
  this.timeout(180_000);
  let page: Page;
  let complaints: readonly string[];

  before(async () => {
    ({ page, complaints } = await visit(''));
    await addWallet(page, { keypair: await fundedWallet(5n) });
    await page.goto('/launch');
    await page
      .getByLabel('Picture', { exact: true })
      .setInputFiles({ name: 'colours.png', mimeType: 'image/png', buffer: await threeColours() });
  });
  after(() => page?.context().close());

  const slider = (name: string) => page.getByRole('slider', { name });
  /** The picture in the preview card next to the form. */
  const shown = async (): Promise<Buffer> => {
    const url = (await page.locator('.preview img.art').getAttribute('src')) ?? '';
    return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  };
  const untilShown = async (colours: readonly string[]) => {
    let found: string[] = [];
    await eventually(
      async () => {
        found = await coloursOf(await shown());
        return found.join() === colours.join();
      },
      () => `the colours ${colours.join()}; there are ${found.join()}`,
      ENCODED_MS,
    );
  };

  it('starts in the middle, and moves with the mouse', async () => {
    await slider('Zoom').waitFor();
    const frame = (await page.locator('.crop canvas').boundingBox())!;
    const middle = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down();
    // Move the picture one square to the right, so that its left third is in the frame.
    await page.mouse.move(middle.x + frame.width, middle.y, { steps: 4 });
    await page.mouse.up();
    await untilShown([RED, RED, RED]);
    await page.mouse.move(middle.x - frame.width, middle.y);
    await untilShown([RED, RED, RED]);
  });

  it('moves with the keyboard alone, and has no accessibility violations', async () => {
    await slider('Left to right').focus();
    await page.keyboard.press('End');
    await untilShown([BLUE, BLUE, BLUE]);
    await slider('Left to right').fill('0.25');
    await untilShown([RED, GREEN, GREEN]);
    await slider('Zoom').fill('4');
    await slider('Left to right').fill('0.5');
    await untilShown([GREEN, GREEN, GREEN]);
    const { violations } = await new AxeBuilder({ page }).include('.launch').analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).to.deep.equal([]);
  });

  it('is the picture on the token’s page, even if the launch is clicked before the browser has encoded it', async () => {
    await slider('Zoom').fill('1');
    await connect(page);
    await page.getByLabel('Name', { exact: true }).fill('Blue Third');
    await page.getByLabel('Symbol', { exact: true }).fill('BLUE');
    await page.evaluate((ms) => {
      // The event that tells the picture comes before the token's page listens.
      Object.assign(EventSource.prototype, {
        addEventListener(this: EventSource, ...of: Parameters<EventTarget['addEventListener']>) {
          if (of[0] !== 'metadata') EventTarget.prototype.addEventListener.apply(this, of);
        },
      });
      // oxlint-disable-next-line typescript/unbound-method -- called with its canvas
      const { toBlob } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (...args) {
        setTimeout(() => toBlob.apply(this, args), ms);
      };
    }, SLOW_ENCODING_MS);
    await slider('Left to right').fill('1');
    await page.getByRole('button', { name: 'Launch', exact: true }).click();
    expect(await coloursOf(await shown())).to.deep.equal([GREEN, GREEN, GREEN]);
    await page.waitForURL(/\/t\//);
    const picture = page.locator('main img.art').first();
    await picture.waitFor();
    const url = new URL((await picture.getAttribute('src')) ?? '', page.url());
    expect(url.origin).to.equal((await stage()).url);
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(await coloursOf(bytes)).to.deep.equal([BLUE, BLUE, BLUE]);
    expect(complaints).to.deep.equal([]);
  });
});

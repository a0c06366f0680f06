// Before its script runs, a page shows the same text in the same place as after.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { stage, visit } from '#tests/browser/stage.js';

const SCRIPTS = /\/assets\/.*\.js$/;
const SIZES = { 'a phone': { width: 360, height: 740 }, 'a desk': { width: 1_440, height: 900 } };

describe('a page before its script runs', function () {
  this.timeout(60_000);
  let paths: string[];

  before(async () => {
    const { launchpad } = await stage();
    paths = ['/', '/launch', `/t/${launchpad.tokens[0]!.mint.toBase58()}`];
  });

  const headingOf = async (page: Page) => {
    const heading = page.getByRole('heading', { level: 1 });
    const { x, y } = (await heading.boundingBox())!;
    return { text: await heading.innerText(), x, y };
  };

  for (const [name, viewport] of Object.entries(SIZES)) {
    it(`has its heading where the script will draw it, on ${name}`, async () => {
      for (const path of paths) {
        const { page } = await visit('');
        await page.setViewportSize(viewport);
        await page.route(SCRIPTS, (route) => route.abort());
        await page.goto(path);
        const shell = await headingOf(page);
        await page.unroute(SCRIPTS);
        await page.goto(path);
        await page.locator('tr[data-mint], .launch-form, [data-testid="cap"]').first().waitFor();
        const drawn = await headingOf(page);
        expect(shell.text, path).to.equal(drawn.text);
        expect(
          [shell.x, shell.y].map((at, axis) => Math.abs(at - [drawn.x, drawn.y][axis]!)),
          path,
        ).to.satisfy(
          (moved: number[]) => moved.every((pixels) => pixels <= 2),
          `${JSON.stringify(shell)}, drawn at ${JSON.stringify(drawn)}`,
        );
        await page.context().close();
      }
    });
  }

  it('has the introduction of the board, which the script keeps, unless the reader has closed it', async () => {
    const { page } = await visit('');
    let run: () => void = () => undefined;
    const allowed = new Promise<void>((resolve) => (run = resolve));
    await page.route(SCRIPTS, async (route) => allowed.then(() => route.continue()));
    await page.goto('/', { waitUntil: 'commit' });
    const step = page.locator('.intro li').last();
    const text = await step.innerText();
    const box = await step.boundingBox();
    const element = await step.elementHandle();
    run();
    await page.locator('tr[data-mint]').first().waitFor();
    expect(await step.innerText()).to.equal(text);
    const drawn = await step.boundingBox();
    expect([drawn!.x - box!.x, drawn!.y - box!.y].every((moved) => Math.abs(moved) <= 2)).to.equal(true);
    // A new element would count as painted only now: half a second later on a slow phone.
    expect(await element.evaluate((one) => one.isConnected)).to.equal(true);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await (await page.request.get('/')).text()).not.to.contain('class="intro');
    await page.context().close();
  });

  it('has working links to its pages', async () => {
    const { page } = await visit('');
    await page.setViewportSize(SIZES['a phone']);
    await page.route(SCRIPTS, (route) => route.abort());
    await page.goto('/');
    const links = page.getByRole('navigation').getByRole('link');
    expect(await links.allInnerTexts()).to.deep.equal(['Board', 'Launch', 'Rewards']);
    await links.nth(1).click();
    await page.waitForURL(/\/launch$/);
    await page.context().close();
  });
});

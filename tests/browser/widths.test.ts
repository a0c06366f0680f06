// The pages at the widths of phones, tablets and screens: nothing is cut off at the side, nothing covers anything else.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { connectBurner } from '#tests/browser/people.js';
import { stage, useVisits } from '#tests/browser/stage.js';

const SETTLED_MS = 5_000;
const WIDTHS = [360, 390, 761, 768, 820, 880, 1000, 1366, 1440, 1680, 1920];

describe('the width of the pages', function () {
  this.timeout(120_000);
  const visit = useVisits();

  it('is enough for all of them on every screen', async () => {
    const { launchpad } = await stage();
    const { tokens, cluster } = launchpad;
    const token = `/t/${tokens[0]!.mint.toBase58()}`;
    const paths = [
      ['/', 'tr[data-mint]'],
      [token, '[data-testid="trades"]'],
      ['/launch', '.launch-form'],
      ['/rewards', 'h1'],
      [`/w/${cluster.payer.publicKey.toBase58()}`, '[role="tab"]'],
      ['/terms', 'h2'],
      ['/nowhere', 'h1'],
    ] as const;
    const { page } = await visit(token);
    await connectBurner(page);
    for (const [path, ready] of paths) {
      await page.goto(path);
      await page.locator(ready).first().waitFor();
      await page.getByTestId('account').waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect(await lastingProblems(page), `${path} at ${width} px`).to.deep.equal([]);
      }
      // 1,280 pixels at 400 % zoom are 320: there, tabs may be scrolled, but no page.
      await page.setViewportSize({ width: 320, height: 900 });
      await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
    }
  });

  for (const width of [360, 768, 820])
    it(`shows rows and cards of the board whole at ${width} px: the symbol, and a change of any size`, async () => {
      const { page } = await visit('', { viewport: { width, height: 740 } });
      await page.route('**/v1/market/tokens?**', async (route) => {
        const answer = await route.fetch();
        const { items, next } = (await answer.json()) as { items: object[]; next: string | null };
        await route.fulfill({
          response: answer,
          json: {
            next,
            items: items.map((token) => ({
              ...token,
              ...{
                name: 'W'.repeat(32),
                symbol: 'COFFEE',
                change24hBps: 123_456,
                marketCap: '123400000000',
                progressBps: 7_600,
              },
            })),
          },
        });
      });
      await page.goto('/');
      await page.locator('tr[data-mint]').first().waitFor();
      const cut = await page.locator('tr[data-mint]').evaluateAll((rows) =>
        rows.flatMap((row) => {
          const { right } = row.getBoundingClientRect();
          return [...row.querySelectorAll('.last-on-phone > span, .tok .symbol')].flatMap((part) => {
            if (part.getClientRects().length === 0) return [];
            const range = document.createRange();
            range.selectNodeContents(part);
            const text = range.getBoundingClientRect();
            const box = part.closest('.t, td')!.getBoundingClientRect();
            const isCut =
              text.width === 0 ||
              text.right > box.right + 1 ||
              text.right > right ||
              text.bottom > box.bottom + 1;
            return isCut ? [part.textContent] : [];
          });
        }),
      );
      expect(cut).to.deep.equal([]);
      // The card above the rows has it too, beside the symbol.
      const [inside, change] = await Promise.all([
        page.locator('.soon-card .clipped').first().boundingBox(),
        page.locator('.soon-card .sub > :last-child').first().boundingBox(),
      ]);
      expect(change!.x + change!.width).to.be.at.most(inside!.x + inside!.width + 1);
    });

  it('has all digits of a long amount on a phone', async () => {
    const { launchpad } = await stage();
    const { page } = await visit(`/t/${launchpad.tokens[0]!.mint.toBase58()}`, {
      viewport: { width: 360, height: 740 },
    });
    await page.locator('.phone-bar').getByRole('button', { name: 'Buy' }).click();
    const field = page.getByLabel('You pay', { exact: true });
    for (const [amount, least] of [
      ['0.5', 28],
      ['18,446,744,073.709551615', 12],
    ] as const) {
      await field.fill(amount);
      const { width, shown, size } = await field.evaluate((input) => ({
        width: input.scrollWidth,
        shown: input.clientWidth,
        size: parseFloat(getComputedStyle(input).fontSize),
      }));
      expect(width, amount).to.be.at.most(shown);
      expect(size, amount).to.be.at.least(least);
    }
  });

  it('the width of the launch form stays as it is when a field has a problem, and so do the other fields', async () => {
    const { page } = await visit('/launch');
    const name = page.getByLabel('Name', { exact: true });
    await name.waitFor();
    const places = () =>
      page
        .locator('.launch-form :is(input, textarea, button)')
        .evaluateAll((fields) => fields.map((field) => Math.round(field.getBoundingClientRect().top * 10)));
    const before = await places();
    await name.fill('A name that is too long for the program by far');
    await page.getByText(/bytes too long/).waitFor();
    expect(await places()).to.deep.equal(before);
  });
});

/** Charts take their new width a moment after the window. */
async function lastingProblems(page: Page): Promise<string[]> {
  const until = performance.now() + SETTLED_MS;
  for (;;) {
    const problems = await problemsOf(page);
    if (problems.length === 0 || performance.now() > until) return problems;
    await page.waitForTimeout(50);
  }
}

/** Parts that cover each other, text that is cut, and pixels that the page is too wide. */
function problemsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = [];
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 0) {
      const beyond = [...document.querySelectorAll('body *')].filter(
        (one) => one.getBoundingClientRect().right > innerWidth,
      );
      // The innermost tells where it comes from.
      const { className = '', tagName, textContent } = beyond.at(-1) ?? document.body;
      problems.push(`${wide} px too wide: ${tagName} ${className} ${textContent.slice(0, 40)}`);
    }
    const parts = document.querySelectorAll<HTMLElement>(
      '.top .row > *, .head > *, .chart-top > *, .cols > *, .main-col > *, .launch > *, .bar > *',
    );
    const shown = [...parts].filter(
      (part) => part.getClientRects().length > 0 && getComputedStyle(part).position !== 'fixed',
    );
    for (const part of document.querySelectorAll('.chart-top .tabs, .lower-tabs .tabs'))
      if (part.scrollWidth > part.clientWidth + 1) problems.push(`${part.ariaLabel} is cut`);
    for (const cell of document.querySelectorAll('tr[data-signature] td')) {
      const text = document.createRange();
      text.selectNodeContents(cell);
      const beyond =
        text.getBoundingClientRect().right - cell.closest('.clipped')!.getBoundingClientRect().right;
      if (beyond > 0) problems.push(`${cell.textContent} of a trade is cut by ${Math.round(beyond)} px`);
    }
    for (const part of shown) {
      const one = part.getBoundingClientRect();
      for (const other of shown) {
        if (part === other || part.contains(other) || other.contains(part)) continue;
        const two = other.getBoundingClientRect();
        const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
        const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
        if (across > 1 && down > 1 && part.parentElement === other.parentElement)
          problems.push(
            `${part.className || part.tagName} and ${other.className || other.tagName}: ${Math.round(across)} px`,
          );
      }
      const inside = part.parentElement!.getBoundingClientRect();
      if (one.right > inside.right + 1)
        problems.push(
          `${part.className || part.tagName} leaves its box by ${Math.round(one.right - inside.right)} px`,
        );
    }
    return problems;
  });
}

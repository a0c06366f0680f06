// The gate on compute units notices growth, and the README states what was measured.
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { growthOver, readBaseline, type Baseline } from '../bench/baseline.js';
import { grouped } from '../scripts/table.js';

describe('the committed compute units', () => {
  const baseline = readBaseline();

  /** The baseline with the medians of one instruction multiplied. */
  const grown = (name: string, factor: number): Baseline => ({
    ...baseline,
    figures: baseline.figures.map((figure) => {
      if (figure.name !== name) return figure;
      const { computeUnits } = figure;
      return {
        ...figure,
        computeUnits: { ...computeUnits, median: Math.floor(computeUnits.median * factor) },
      };
    }),
  });

  it('allow a median to shrink, and to grow by 1 %', () => {
    for (const factor of [0.5, 1, 1.01])
      expect(growthOver(baseline, grown('buyToken', factor))).to.deep.equal([]);
  });

  it('refuse a median that grew by more, and name the instruction', () => {
    expect(growthOver(baseline, grown('buyToken', 1.011)))
      .to.have.length(1)
      .and.match(/buyToken/);
  });

  it('refuse a run that misses an instruction', () => {
    const run = { ...baseline, figures: baseline.figures.slice(1) };
    expect(growthOver(baseline, run)).to.deep.equal(['createToken is in only one of the two']);
  });

  it('refuse to be compared with a run of other mints', () => {
    expect(growthOver(baseline, { ...baseline, seed: baseline.seed + 1 })[0]).to.match(/^not comparable/);
  });

  it("are the README's", () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    for (const { name, computeUnits, bytes } of baseline.figures) {
      const row = readme.split('\n').find((line) => line.replaceAll('`', '').startsWith(`| ${name} `));
      const cells = row?.split('|').map((cell) => cell.trim()) ?? [];
      const { min, median, max } = computeUnits;
      for (const figure of [min, median, max, ...(bytes === null ? [] : [bytes])]) {
        expect(cells, `${name} in the README`).to.include(grouped(figure));
      }
    }
  });
});

// The compute unit check notices growth, and the README states the measured figures.
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { growthOver, readBaseline, type Baseline } from '../../scripts/bench/program/baseline.js';
import { LIMITS, type FigureName } from '../../scripts/bench/program/compute-unit-limits.js';
import { grouped } from '#app/operator/table.js';

describe('the committed compute units', () => {
  const baseline = readBaseline();

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

  it('allow a median to grow by 1 %, and refuse more, a run without an instruction, and one with other mints', () => {
    for (const factor of [0.5, 1.01])
      expect(growthOver(baseline, grown('buyToken', factor))).to.deep.equal([]);
    expect(growthOver(baseline, grown('buyToken', 1.011)).join()).to.match(
      /^buyToken: median (?!.*createToken)/,
    );
    const run = { ...baseline, figures: baseline.figures.slice(1) };
    expect(growthOver(baseline, run)).to.deep.equal(['createToken is in only one of the two']);
    expect(growthOver(baseline, { ...baseline, seed: baseline.seed + 1 })[0]).to.match(/^not comparable/);
  });

  describe('in the README', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const [section = ''] = /^## What it costs\n[^]*?(?=^## |(?![^]))/m.exec(readme) ?? [];
    const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    const rows = section
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map(cellsOf);

    it('are the measured ones, each in its column, next to the floors of the bench', () => {
      const text = (figure?: number | null) => (typeof figure === 'number' ? grouped(figure) : '');
      const expected = baseline.figures.map(({ name, computeUnits: { min, median, max }, bytes }) => {
        const { floor } = LIMITS[name as FigureName];
        return ['', name, ...[floor, min, median, max, bytes].map(text), ''];
      });
      expect(rows[0]).to.deep.equal(['', 'instruction', 'floor', 'min', 'median', 'max', 'bytes', '']);
      expect(rows.slice(2)).to.deep.equal(expected);
    });

    it('name what they depend on: cluster, token program, compiler', () => {
      const { compiler, tokenProgram } = baseline.conditions;
      const versions = compiler.match(/[\w-]+ \d+\.\d+\.\d+/g) ?? [];
      expect(versions, compiler).to.have.length.above(1);
      const prose = section.replace(/\s+/g, ' ');
      for (const version of versions) expect(prose).to.include(version);
      expect(prose).to.include(`${tokenProgram.name} (SHA-256 \`${tokenProgram.sha256.slice(0, 8)}…\`)`);
      expect(prose.toLowerCase()).to.include(baseline.conditions.cluster);
    });
  });

  it('are above the floor, which any program with these CPIs must use', () => {
    const floors = baseline.figures.flatMap(({ name, computeUnits: { min } }) => {
      const { floor } = LIMITS[name as FigureName];
      return floor !== undefined && min > floor ? [name] : [];
    });
    expect(floors).to.deep.equal(['buyToken', 'sellToken', 'migrate']);
  });
});

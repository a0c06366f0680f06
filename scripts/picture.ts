/** Draws the output of a command as an SVG: `npm run demo | npx tsx scripts/picture.ts TITLE > docs/demo.svg` */
import { readFileSync } from 'node:fs';

const FONT_SIZE = 13;
const CHARACTER_WIDTH = 7.83;
const LINE_HEIGHT = 18;
const MARGIN = 18;
const TITLE_BAR = 34;

/** Colours for the ANSI codes in the tables, on a dark background. */
const COLOURS: Readonly<Record<string, string>> = {
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#e3b341',
  '35': '#d2a8ff',
  '36': '#79c0ff',
  '2': '#7d8590',
  '90': '#7d8590',
};

// oxlint-disable-next-line no-control-regex -- an escape character begins every code
const CODE = /(?:\u001b(\[[0-9;]*m))/;

const [title = 'npm run demo'] = process.argv.slice(2);
console.log(draw(title, readFileSync(0, 'utf8').trimEnd().split('\n')));

function draw(heading: string, lines: readonly string[]): string {
  const columns = Math.max(...lines.map((line) => [...withoutCodes(line)].length));
  const width = Math.ceil(columns * CHARACTER_WIDTH) + 2 * MARGIN;
  const height = TITLE_BAR + lines.length * LINE_HEIGHT + MARGIN;
  const lamps = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, index) => `<circle cx="${MARGIN + 6 + index * 20}" cy="17" r="6" fill="${colour}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    ...lamps,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}" fill="#c9d1d9" xml:space="preserve">`,
    `<text x="${width / 2}" y="22" text-anchor="middle" fill="#7d8590">${escaped(heading)}</text>`,
    ...lines.map((line, index) => drawLine(line, TITLE_BAR + (index + 1) * LINE_HEIGHT)),
    '</g>',
    '</svg>',
  ].join('\n');
}

/** One line. Each run of one style is a `tspan` with an exact width, so that the viewer's font does not matter. */
function drawLine(line: string, y: number): string {
  let column = 0;
  let codes: string[] = [];
  const spans: string[] = [];
  for (const part of line.split(CODE)) {
    const code = /^\[([0-9;]*)m$/.exec(part);
    if (code !== null) {
      codes = nextCodes(codes, code[1] ?? '');
      continue;
    }
    for (const { 0: text, index } of part.matchAll(/\S+(?: \S+)*/g)) {
      const x = (MARGIN + (column + [...part.slice(0, index)].length) * CHARACTER_WIDTH).toFixed(1);
      const length = ([...text].length * CHARACTER_WIDTH).toFixed(1);
      spans.push(`<tspan x="${x}" textLength="${length}"${styleOf(codes)}>${escaped(text)}</tspan>`);
    }
    column += [...part].length;
  }
  return `<text y="${y}">${spans.join('')}</text>`;
}

function styleOf(codes: readonly string[]): string {
  const fill = codes.map((code) => COLOURS[code]).find((colour) => colour !== undefined);
  return (fill === undefined ? '' : ` fill="${fill}"`) + (codes.includes('1') ? ' font-weight="bold"' : '');
}

// Code 22 ends the weight, 39 the colour, and 0 both.
function nextCodes(codes: readonly string[], code: string): string[] {
  if (code === '0' || code === '' || code === '39' || code === '22') return [];
  return [...codes, ...code.split(';')];
}

function withoutCodes(line: string): string {
  return line
    .split(CODE)
    .filter((part) => !/^\[[0-9;]*m$/.test(part))
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

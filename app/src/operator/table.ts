// Text tables for the terminal: aligned columns, a line for the units, and colour if the terminal supports it.
import { styleText } from 'node:util';

interface Heading {
  readonly title: string;
  /** Of the column's values, on the line below the title. */
  readonly unit?: string;
  /** The default is `left`. */
  readonly align?: 'right';
}

/** A text alone is the title. */
export type Column = string | Heading;

/** A column of numbers. */
export const right = (title: string, unit = ''): Column => ({ title, unit, align: 'right' });

export type Style = Parameters<typeof styleText>[0];

/** One text per column. A line break makes the row taller. */
type Cells = readonly string[];
export type Row = Cells | { readonly cells: Cells; readonly style?: Style | undefined };

const GAP = '  ';
const HEADING: Style = 'bold';

/** A table as text. Line breaks only between its lines, not at the end. */
export function renderTable(columns: readonly Column[], rows: readonly Row[], colour = false): string {
  const headings = columns.map((column): Heading =>
    typeof column === 'string' ? { title: column } : column,
  );
  const heads = [headings.map(({ title }) => title)];
  if (headings.some(({ unit = '' }) => unit !== '')) heads.push(headings.map(({ unit = '' }) => unit));
  const lines = [
    ...heads.map((cells) => ({ cells, style: HEADING })),
    ...rows
      .map((row) => ('cells' in row ? row : { cells: row, style: undefined }))
      .flatMap(({ cells, style }) => linesOf(cells).map((line) => ({ cells: line, style }))),
  ];
  const widths = columns.map((_, index) =>
    Math.max(...lines.map(({ cells }) => lengthOf(cells[index] ?? ''))),
  );
  const text = lines.map(({ cells, style }) => paint(layOut(headings, widths, cells), style, colour));
  const rule = paint(widths.map((width) => '─'.repeat(width)).join(GAP), 'dim', colour);
  return [...text.slice(0, heads.length), rule, ...text.slice(heads.length)].join('\n');
}

/** Whether to use colour: only on a terminal, and not when NO_COLOR is set. */
export function showsColour(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && (process.env['NO_COLOR'] ?? '') === '';
}

/** The text in a style, or unchanged without colour. */
function paint(text: string, style: Style | undefined, colour: boolean): string {
  return colour && style !== undefined ? styleText(style, text) : text;
}

export function grouped(value: bigint | number): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

function linesOf(cells: Cells): string[][] {
  const split = cells.map((cell) => cell.split('\n'));
  const height = Math.max(...split.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => split.map((texts) => texts[line] ?? ''));
}

function layOut(headings: readonly Heading[], widths: readonly number[], cells: Cells): string {
  const padded = headings.map(({ align }, index) => {
    const cell = cells[index] ?? '';
    const space = ' '.repeat((widths[index] ?? 0) - lengthOf(cell));
    return align === 'right' ? space + cell : cell + space;
  });
  return padded.join(GAP).trimEnd();
}

/** Counts characters, not UTF-16 units. */
function lengthOf(text: string): number {
  return [...text].length;
}

// Numbers as `Intl` writes them in English, and as both languages of the page write them. The first use of `Intl` takes a slow phone a quarter of a second,
// before anything is drawn. tests/web/english-numbers.test.ts compares the two.

/** The text for NaN and Infinity, such as a division by zero. */
const NONE = '—';
const UNITS = ['', 'K', 'M', 'B', 'T'];

/** Digits in groups of three. */
export function grouped(digits: string): string {
  return digits.replace(/\d(?=(\d{3})+(?!\d))/g, '$&,');
}

/** An amount with at most `most` decimals, without zeros at its end, in groups of three. */
export function decimals(value: number, most: number): string {
  if (!Number.isFinite(value)) return NONE;
  const digits = String(rounded(value, most)).padStart(most + 1, '0');
  const fraction = digits.slice(digits.length - most).replace(/0+$/, '');
  const whole = grouped(digits.slice(0, digits.length - most));
  return `${value < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** At most `most` digits, not counting zeros at the front. */
export function significant(value: number, most: number): string {
  if (!Number.isFinite(value)) return NONE;
  const places = most - 1 - written(value).exponent;
  if (places >= 0) return decimals(value, places);
  return `${value < 0 ? '-' : ''}${grouped(`${rounded(value, places)}${'0'.repeat(-places)}`)}`;
}

/** At most four digits, in thousands (K), millions (M), billions (B) or trillions (T). */
export function compact(value: number): string {
  if (!Number.isFinite(value)) return NONE;
  const near = Number(significant(value, 4).replaceAll(',', ''));
  const thousands = Math.max(0, Math.min(4, Math.floor(written(near).exponent / 3)));
  const text = significant(near / 1_000 ** thousands, 4);
  // Groups begin with the fifth digit here.
  return (/^-?\d,\d{3}$/.test(text) ? text.replace(',', '') : text) + UNITS[thousands]!;
}

/** `value · 10^places`, its half rounded away from zero, without its sign. */
function rounded(value: number, places: number): bigint {
  const { digits, fractionDigits, exponent } = written(value);
  const shift = exponent - fractionDigits + places;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  return (digits + 5n * 10n ** BigInt(-shift - 1)) / 10n ** BigInt(-shift);
}

/** The digits with which JavaScript writes a number, which are those that `Intl` rounds. */
function written(value: number): { digits: bigint; fractionDigits: number; exponent: number } {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), fractionDigits: fraction.length, exponent: Number(exponent) };
}

// Parses and formats typed amounts.
export const SOL_DECIMALS = 9;
export const TOKEN_DECIMALS = 6;

/** The amount in base units. Undefined for text that is not a number with at most `decimals` decimals. */
export function parseAmount(text: string, decimals: number): bigint | undefined {
  const match = /^(\d{0,20})(?:\.(\d*))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  if (fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** All digits without grouping, for an input. */
export function amountText(amount: bigint, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Replaces a comma with a point and removes spaces. */
export const cleaned = (text: string) => text.replace(',', '.').replace(/\s/g, '');

// Amounts as people type them.
export const SOL_DECIMALS = 9;
export const TOKEN_DECIMALS = 6;

/** Smallest units; undefined for text that is not a number with at most so many decimals. */
export function parseAmount(text: string, decimals: number): bigint | undefined {
  const match = /^(\d{0,20})(?:\.(\d*))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  if (fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** All digits, as an input wants them. */
export function amountText(amount: bigint, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Keeps what can become a number: a comma is a point, spaces go. */
export const cleaned = (text: string) => text.replace(',', '.').replace(/\s/g, '');

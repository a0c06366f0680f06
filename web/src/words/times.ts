// Times as `Intl` writes them. The first use of `Intl` takes a slow phone a quarter of a second, before anything is drawn.
export const months: readonly string[] = [
  ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
];

export const ageUnits: Readonly<Record<'s' | 'min' | 'h' | 'd', string>> = {
  s: 's',
  min: 'min',
  h: 'h',
  d: 'd',
};

/** In local time: `"Nov 26, 2026, 3:13:59 PM"`. */
export function dateTime(milliseconds: number): string {
  const at = new Date(milliseconds);
  const two = (part: number) => String(part).padStart(2, '0');
  const hours = at.getHours();
  const time = `${hours % 12 === 0 ? 12 : hours % 12}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return `${months[at.getMonth()]!} ${at.getDate()}, ${at.getFullYear()}, ${time} ${hours < 12 ? 'AM' : 'PM'}`;
}

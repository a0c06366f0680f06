import type * as english from '../times.js';

export const months: typeof english.months = Array.from({ length: 12 }, (_, month) => `${month + 1}月`);

export const ageUnits: typeof english.ageUnits = { s: '秒', min: '分钟', h: '小时', d: '天' };

/** In local time, as in `Intl`: `"2026年11月26日 15:13:59"`. */
export function dateTime(milliseconds: number): string {
  const at = new Date(milliseconds);
  const [hours, minutes, seconds] = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${at.getFullYear()}年${at.getMonth() + 1}月${at.getDate()}日 ${hours}:${minutes}:${seconds}`;
}

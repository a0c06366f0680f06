/** The options of `npm run capacity` that describe a load, with their presets. */
import type { Load } from './model.js';

export const OPTIONS = {
  users: { preset: 1e6, least: 1, most: 1e10, about: 'wallets that use the launchpad in a month' },
  trades: { preset: 300, least: 0, most: 1e6, about: 'trades a second in the busiest hour' },
  active: { preset: 10, least: 0, most: 100, about: '% of the users that are active on a day' },
  watching: {
    preset: 1,
    least: 0,
    most: 100,
    about: '% of the users with a page open in the busiest second',
  },
  reads: { preset: 60, least: 0, most: 1e6, about: 'requests of an active user on a day' },
  claims: { preset: 2, least: 0, most: 1e4, about: 'claims of a user in a month' },
  peak: {
    preset: 5,
    least: 1,
    most: 1e3,
    about: 'how much busier the busiest second is than the average one',
  },
  days: { preset: 365, least: 1, most: 36_500, about: 'days of trades in the database' },
} as const;
export type Option = keyof typeof OPTIONS;
export const NAMES = Object.keys(OPTIONS) as Option[];

/** @param given the value of an option, the preset if there is none */
export function loadOf(given: (option: Option) => number): Load {
  return {
    users: given('users'),
    trades: given('trades'),
    activePercent: given('active'),
    watchingPercent: given('watching'),
    reads: given('reads'),
    claims: given('claims'),
    peak: given('peak'),
    days: given('days'),
  };
}

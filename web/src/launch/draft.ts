// What is typed into the launch form outlives Back and a reload. A picture does not: it can be larger than the storage.
import { storage } from '../storage.js';
import { EARNERS, EMPTY, type LaunchForm } from './words-of-form.js';

const KEY = 'curvekit:draft';

export function keptDraft(): LaunchForm {
  try {
    const kept = JSON.parse(storage.getItem(KEY) ?? '{}') as Readonly<Record<string, unknown>>;
    const fits = Object.entries(kept).filter(
      ([name, value]) =>
        name in EMPTY &&
        typeof value === typeof EMPTY[name as keyof LaunchForm] &&
        (name !== 'earns' || EARNERS.some((kind) => kind === value)),
    );
    return { ...EMPTY, ...Object.fromEntries(fits) };
  } catch {
    return EMPTY;
  }
}

export const keepDraft = (form: LaunchForm) => storage.setItem(KEY, JSON.stringify(form));
export const forgetDraft = () => storage.removeItem(KEY);

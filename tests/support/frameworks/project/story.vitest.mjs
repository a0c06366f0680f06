import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kitStory } from './kit-story.mjs';
import { story } from './story.mjs';

test('the story', { timeout: 60_000 }, async () => {
  expect(typeof window.document).toBe('object');
  const { given, expected } = JSON.parse(readFileSync('given.json', 'utf8'));
  expect(await story(given)).toEqual(expected.story);
  expect(await kitStory(given)).toEqual(expected.kit);
});

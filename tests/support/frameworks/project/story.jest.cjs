const { readFileSync } = require('node:fs');
const { story } = require('./story.cjs');

test('the story', async () => {
  expect(typeof window.document).toBe('object');
  const { given, expected } = JSON.parse(readFileSync('given.json', 'utf8'));
  expect(await story(given)).toEqual(expected.story);
}, 60_000);

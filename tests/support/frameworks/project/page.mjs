// What a browser runs. `given` is a global of the page.
import { kitStory } from './kit-story.mjs';
import { story } from './story.mjs';

async function stories(given) {
  return JSON.stringify({ ...(await story(given)), kit: await kitStory(given) });
}
globalThis.result = stories(JSON.parse(globalThis.given));

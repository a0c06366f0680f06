// Prints the end of both stories: on Node.js, Bun and Deno.
import { kitStory } from './kit-story.mjs';
import { story } from './story.mjs';

const given = JSON.parse(process.argv[2]);
console.log(JSON.stringify({ ...(await story(given)), kit: await kitStory(given) }));
process.exit(0);

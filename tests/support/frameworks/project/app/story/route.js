import { kitStory } from '../../kit-story.mjs';
import { story } from '../../story.mjs';

export async function POST(request) {
  const given = await request.json();
  return Response.json({ ...(await story(given)), kit: await kitStory(given) });
}

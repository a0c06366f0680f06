// Says that the device is offline where a page cannot be loaded. It keeps nothing, so that no old price is ever shown. The page
// registers it with its words in the URL (web/src/offline.ts): other words are another worker.
const words = new URL(location.href).searchParams;
const word = (name) => (words.get(name) ?? '').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const shell = () =>
  new Response(
    `<!doctype html><html lang="${word('lang')}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${word('name')}</title><style>:root{color-scheme:dark light}body{font:16px/1.5 Inter,sans-serif;max-width:40rem;margin:0 auto;padding:1rem}</style>
<p><b>${word('name')}</b></p><h1>${word('title')}</h1><p>${word('text')}</p><p><a href="">${word('retry')}</a></p></html>`,
    {
      status: 503,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      },
    },
  );

addEventListener('install', () => skipWaiting());
// The browser asks for the page while the worker starts.
addEventListener('activate', (event) => event.waitUntil(registration.navigationPreload?.enable()));
addEventListener('fetch', (event) => {
  const { request, preloadResponse } = event;
  if (request.mode !== 'navigate') return;
  const load = async () => (await preloadResponse) ?? fetch(request);
  event.respondWith(load().catch(shell));
});

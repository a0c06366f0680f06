// The document, and Swagger UI to read it with.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { Router } from 'express';
import type { OpenApiDocument } from './openapi.js';

/** The package itself stays out of this process: it would load all of Swagger UI, which is for browsers. */
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Curvekit API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="icon" href="docs/favicon-32x32.png" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;
// The page must work under the service's content security policy, which allows no inline script.
const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true });
`;

/** `/openapi.json` and `/docs`. */
export function docsRouter(document: OpenApiDocument): Router {
  const json = JSON.stringify(document);
  const router = Router();
  router.get('/openapi.json', (_request, response) => {
    response.type('json').send(json);
  });
  // The page's addresses are relative, so that it works behind a prefix: `/docs/` would make them wrong.
  router.get('/docs', (request, response) => {
    if (request.path.endsWith('/')) response.redirect(301, '../docs');
    else response.type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  router.use('/docs', express.static(SWAGGER_UI, { index: false, maxAge: '1h' }));
  return router;
}

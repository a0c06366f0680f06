// The OpenAPI document, and Swagger UI to read it.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { Router } from 'express';
import type { OpenApiDocument } from './openapi.js';

/**
 * Resolves only the folder. Importing the package would load all of Swagger UI, which is for browsers, into this process.
 */
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
// A file, because the content security policy forbids inline scripts.
const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true });
`;

export function docsRouter(document: OpenApiDocument): Router {
  const json = JSON.stringify(document);
  const router = Router({ caseSensitive: true });
  router.get('/openapi.json', (_request, response) => {
    response.type('json').send(json);
  });
  // The page's URLs are relative, so that it works behind a path prefix. Under `/docs/` they would be wrong.
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

// Zod with its OpenAPI extension. Use this `z` for schemas of routes.
import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

extendZodWithOpenApi(z);

export { z };

// Zod, able to say how a schema looks in the OpenAPI document. Schemas of routes are made with this `z`.
import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

extendZodWithOpenApi(z);

export { z };

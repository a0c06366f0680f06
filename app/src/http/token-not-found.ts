import type { ErrorCase } from './route.js';

export const TOKEN_NOT_FOUND: ErrorCase = {
  status: 404,
  code: 'TOKEN_NOT_FOUND',
  description: 'There is no such token.',
};

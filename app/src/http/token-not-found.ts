import { HttpProblem } from './problem.js';
import type { ErrorCase } from './route.js';

export const TOKEN_NOT_FOUND: ErrorCase = {
  status: 404,
  code: 'TOKEN_NOT_FOUND',
  description: 'There is no such token.',
};

export function noToken(): HttpProblem {
  return new HttpProblem(404, TOKEN_NOT_FOUND.code, 'There is no such token');
}

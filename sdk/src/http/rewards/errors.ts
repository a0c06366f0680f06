import type { RewardsErrorCode } from '../../generated/api/rewards.js';
import { ApiError } from '../errors.js';

/** Whether an error is this API's refusal with this code. */
export function isRefusal(error: unknown, code: RewardsErrorCode): error is ApiError<RewardsErrorCode> {
  return error instanceof ApiError && error.code === code;
}

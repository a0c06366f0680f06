// Without drizzle, so that the command line's help starts fast.
/** Permissions of an API key. */
export const SCOPES = ['users:write', 'users:read', 'stats:read'] as const;

/** What a process can do, as ROLE and `curvekit start --role` name it. */
export const ROLES = ['all', 'api', 'worker'] as const;

export type Role = (typeof ROLES)[number];

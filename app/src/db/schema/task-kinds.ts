/** Kinds of work that is tried again later. In a file of its own: the command line names them before it loads the database. */
export const TASK_KINDS = ['funding', 'graduation', 'metadata', 'pool', 'settlement'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

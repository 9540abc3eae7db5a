export const ROOT_STATUSES = ['Starting', 'In Progress', 'Completed', 'Failed'] as const;
export type RootStatus = (typeof ROOT_STATUSES)[number];

export const isTerminal = (status: RootStatus): boolean => status === 'Completed' || status === 'Failed';

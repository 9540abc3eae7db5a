/** Events that may have a reply of their own on a board. */
export const ALERTS = ['Failure', 'Recovery'] as const;

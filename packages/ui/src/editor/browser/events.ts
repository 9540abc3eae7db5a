/** In place of `node:events`: browsers have no limit of listeners. */
export const setMaxListeners = (): void => {};

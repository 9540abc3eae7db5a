/** What each receiver takes, as pure functions: one judge for each receiver. Runs in Node and in browsers. */
export * from './verdict.ts';

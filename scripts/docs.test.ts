import { describe, expect, it } from 'vitest';
import { stalePages } from './docs.ts';

describe('the pages made from the code', () => {
  it('are up to date: node --import tsx scripts/docs.ts writes them', async () => {
    expect(await stalePages()).toEqual([]);
  });
});

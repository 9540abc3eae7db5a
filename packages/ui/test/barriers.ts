import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { eventually } from '../../core/src/testing/eventually.ts';

/**
 * What people who cannot see, or have no mouse, could not use: the rules of WCAG 2.2 AA. Each is `rule: HTML`. axe fails when the page
 * changes while it looks. Then it looks again.
 */
export const barriers = (page: Page): Promise<readonly string[]> =>
  eventually(async () => {
    // The page's policy permits no script of another origin, but a debugger may run what it likes.
    if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>(
      // Only what it finds, and the HTML of that: to make selectors of all that is well takes as long as the search.
      "axe.run({ resultTypes: ['violations'], selectors: false, preload: false })",
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });

import { readFileSync } from 'node:fs';
import { SINKS, type SinkId } from './sinks.ts';

/** A template of the cookbook, to start from. */
export interface Recipe {
  readonly title: string;
  readonly sink: SinkId;
  readonly template: string;
}

/** The recipes of a page, each below its heading. Throws for a sink that is not known. */
function recipesIn(page: string): readonly Recipe[] {
  return Array.from(
    page.matchAll(/^## \d+\. (.+)\n[^]*?^```gotmpl (.+)\n([^]*?)^```$/gm),
    ([, title = '', words = '', template = '']) => {
      const sink = SINKS.find(({ recipe }) => recipe === words)?.id;
      if (sink === undefined) throw new Error(`the cookbook has a template for an unknown sink: ${words}`);
      return { title, sink, template };
    },
  );
}

/** The cookbook of the documentation. The page has this module as data (`scripts/ui-files.ts`). */
export const RECIPES = recipesIn(
  readFileSync(new URL('../../../../docs/howto/templates.md', import.meta.url), 'utf8'),
);

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { TEMPLATE_LIMITS } from './limits.ts';
import { RENDER_FAULTS } from './template.ts';

const page = await readFile(new URL('../../../../docs/templates.md', import.meta.url), 'utf8');

it.each(Object.values(TEMPLATE_LIMITS))('docs/templates.md has the limit of $value $unit $help', (limit) => {
  expect(page).toContain(`| ${limit.value.toLocaleString('en')} ${limit.unit} | ${limit.help} |\n`);
});

it.each(Object.entries(RENDER_FAULTS))('docs/templates.md has the reason %s', (reason, meaning) => {
  expect(page).toContain(`| \`${reason}\` | ${meaning} |\n`);
});

/** Pages of `docs/reference`: long tables that the code has anyway. */
import { Command, type Option } from 'commander';
import { COMMANDS } from '../packages/hnotif/src/cli/commands.ts';
import { EXIT, EXIT_MEANINGS } from '../packages/hnotif/src/cli/exit.ts';
import { processIo } from '../packages/hnotif/src/cli/io.ts';
import { main } from '../packages/hnotif/src/cli/program.ts';
import {
  functionRows,
  structRows,
  unavailable,
  type StructRow,
} from '../packages/core/src/render/reference.ts';
import { notificationCrd } from '../packages/core/src/resources/crds/notification.ts';
import { type Schema, DEFAULT_API_GROUP } from '@hnotif/core/resources';
import { code, table } from './markdown.ts';

const writtenFrom = (
  source: string,
): string => `<!-- Written by scripts/docs.ts from ${source}: change that, then run
node --import tsx scripts/docs.ts -->`;

/** What a value of the schema is. */
function typeOf(schema: Schema): string {
  const { type, format, items, additionalProperties } = schema;
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (additionalProperties !== undefined) return `map of ${typeOf(additionalProperties)}`;
  return format === 'date-time' ? 'time' : type;
}

/** The bounds of a value, as far as a user can meet them. */
function boundsOf(schema: Schema, required: boolean): string {
  const { maxLength, maxItems, maxProperties, minItems, default: standard } = schema;
  const words = schema.enum ?? schema.items?.enum;
  return [
    ...(required ? ['required'] : []),
    ...(standard === undefined ? [] : [`default ${code(String(standard))}`]),
    ...(words === undefined ? [] : [words.map(code).join(', ')]),
    ...(words === undefined && maxLength !== undefined ? [`at most ${maxLength} characters`] : []),
    ...(minItems === undefined ? [] : [`at least ${minItems}`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(maxProperties === undefined ? [] : [`at most ${maxProperties}`]),
  ].join('; ');
}

/** A row for each field, with the fields within it. */
function fieldRows(path: string, schema: Schema, required: boolean): string[][] {
  const row = [code(path), typeOf(schema), boundsOf(schema, required), schema.description ?? ''];
  return [row, ...rowsWithin(path, schema)];
}

function rowsWithin(path: string, schema: Schema): string[][] {
  if (schema.items !== undefined) return rowsWithin(`${path}[]`, schema.items);
  return Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
    fieldRows(`${path}.${name}`, each, schema.required?.includes(name) === true),
  );
}

/** Rules that no type can say. */
function rulesOf(path: string, schema: Schema): string[] {
  const own = (schema['x-kubernetes-validations'] ?? []).map(
    ({ message, fieldPath = '' }) => `- ${code(`${path}${fieldPath}`)} ${message}`,
  );
  const within = Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
    rulesOf(`${path}.${name}`, each),
  );
  return [...own, ...within, ...(schema.items === undefined ? [] : rulesOf(`${path}[]`, schema.items))];
}

/** `docs/reference/resource.md`. */
export function resourcePage(): string {
  const { spec } = notificationCrd(DEFAULT_API_GROUP);
  const [version] = spec.versions;
  if (version === undefined) throw new Error('the CRD has no version');
  const { openAPIV3Schema: schema } = version.schema;
  const part = (name: string): Schema => {
    const found = schema.properties?.[name];
    if (found === undefined) throw new Error(`the CRD has no ${name}`);
    return found;
  };
  const head = ['field', 'type', 'bounds', 'meaning'];
  return `${writtenFrom('packages/core/src/resources/crds/notification.ts')}

# HibernateNotification

${schema.description ?? ''} Kind \`${spec.names.kind}\`, version \`${spec.group}/${version.name}\`, short names ${spec.names.shortNames.map(code).join(' and ')}. \`kubectl explain hibernatenotifications.spec\` shows the same.
[The first message](../install.md#the-first-message) is an example.

## spec

${part('spec').description ?? ''}

${table(head, rowsWithin('spec', part('spec')))}

Besides:

${rulesOf('spec', part('spec')).join('\n')}

## status

${part('status').description ?? ''}

${table(head, rowsWithin('status', part('status')))}

## Columns of kubectl get

Those with “wide” are shown with \`-o wide\`.

${table(
  ['column', '', 'meaning'],
  version.additionalPrinterColumns.map(({ name, priority = 0, description }) => [
    name,
    priority > 0 ? 'wide' : '',
    description,
  ]),
)}
`;
}

/** The text of a default; `''` if there is none, or if the description has it. */
const defaultOf = ({ defaultValue, defaultValueDescription }: Option): string => {
  const value: unknown = defaultValueDescription ?? defaultValue;
  if (value === undefined || value === false) return '';
  return code(typeof value === 'string' ? value : JSON.stringify(value));
};

const flagRow = (option: Option): string[] => [
  code(option.flags),
  option.envVar === undefined ? '' : code(option.envVar),
  defaultOf(option),
  [
    option.description,
    ...(option.argChoices === undefined ? [] : [option.argChoices.map(code).join(', ')]),
  ].join(': '),
];

/** `docs/reference/commands.md`. */
export async function commandsPage(): Promise<string> {
  const sections = await Promise.all(
    COMMANDS.map(async ({ name, summary, load }) => {
      const command = new Command(name).helpOption(false);
      (await load()).define(
        command,
        processIo(() => undefined),
        main,
      );
      const shown = command.options.filter(({ hidden }) => !hidden);
      const args = command.registeredArguments.map((argument) => {
        const text = `${argument.name()}${argument.variadic ? '...' : ''}`;
        return argument.required ? `<${text}>` : `[${text}]`;
      });
      const usage = ['hnotif', name, ...args, ...(shown.length > 0 ? ['[flags]'] : [])].join(' ');
      return `## ${name}

${code(usage)}: ${summary}.
${shown.length === 0 ? '' : `\n${table(['flag', 'environment', 'default', 'meaning'], shown.map(flagRow))}\n`}`;
    }),
  );
  return `${writtenFrom('the commands in packages/hnotif/src/cli')}

# Commands, flags and exit codes

[cli.md](../cli.md) explains the commands. A flag on the command line has priority over its environment variable.

${sections.join('\n')}
## Exit codes

${table(
  ['exit code', 'meaning'],
  Object.entries(EXIT).map(([word, exit]) => [String(exit), EXIT_MEANINGS[word as keyof typeof EXIT]]),
)}
`;
}

const structTable = ({ name, fields }: StructRow): string => `### ${name}

${table(
  ['field', 'type', 'values', 'meaning'],
  fields.map(({ name: field, type, values, help }) => [
    code(`.${field}`),
    code(type),
    values.map((word) => (word === '' ? 'empty' : code(word))).join(', '),
    help,
  ]),
)}`;

/** `docs/reference/templates.md`. */
export function templatesPage(): string {
  const structs = structRows();
  return `${writtenFrom('packages/core/src/render and packages/gotemplate')}

# Template fields and functions

[templates.md](../templates.md) explains them, with examples. Types are Go's.

## Fields

The dot is a \`${structs[0]?.name ?? ''}\`.

${structs.map(structTable).join('\n\n')}

## Functions

Parameters and results of each function. The value before a \`|\` becomes the last parameter.

${table(
  ['function', 'signature', 'meaning'],
  functionRows().map(({ name, signature, help }) => [code(name), code(signature), help]),
)}

Not available, as they would read the machine or make keys: ${unavailable().map(code).join(', ')}.
`;
}

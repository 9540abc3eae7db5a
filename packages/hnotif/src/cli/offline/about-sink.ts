import { lint } from '@hnotif/gotemplate';
import { placeInWords, functions, PAYLOAD } from '@hnotif/core/render';
import type { Notification, SinkEntry } from '@hnotif/core/resources';
import { notesAt, readSink, type SinkSettings } from '@hnotif/core/sinks';
import { boardAdvice } from './board-advice.ts';
import { CLUSTER } from './cluster-manifests.ts';
import { hashedName } from './hashed-name.ts';
import type { Manifest, Path } from './manifests.ts';
import { messageFindings } from './message-findings.ts';
import { secretOf, templateTextOf, UnusableValue, type Found, type Objects } from './objects.ts';
import { nameOf, problemAt, type Problem } from './problems.ts';
import { recordingSettings } from '@hnotif/core/rehearsal';
import type { ValidateOptions } from './validate-options.ts';

export async function aboutSink(
  manifest: Manifest,
  notification: Notification,
  at: number,
  sink: SinkEntry,
  objects: Objects,
  templates: Set<string>,
  options: ValidateOptions,
): Promise<readonly Problem[]> {
  const path: Path = ['spec', 'sinks', at];
  const missing: Missing = (kind, name, where) =>
    missingProblem(manifest, kind, name, [...path, ...where], objects, options);
  const problems: Problem[] = [];
  const template = templateOf(sink, manifest, objects, missing, problems, templates);
  const { secretRef, templateRef } = sink;
  const secret = objects.beside(manifest, 'Secret', secretRef.name);
  if (secret === undefined) return [...problems, missing('Secret', secretRef.name, ['secretRef', 'name'])];
  const address = { namespace: objects.namespaceOf(manifest), notification: manifest.name, sink: sink.name };
  const settings = recordingSettings(options, address);
  const configured = readSecret(secret, sink, settings);
  if (!configured.ok) return [...problems, ...configured.problems];
  const { config, reading } = configured;
  problems.push(
    ...notesAt(reading, options.clock.now(), notification.onEvents).map((text) => ({
      ...aboutConfig(secret, config, text, sink),
      severity: 'warning' as const,
    })),
  );
  const advice = boardAdvice(manifest, notification, sink, config.value, reading.sink, objects);
  if (advice !== undefined) problems.push(problemAt(manifest, path, 'note', 'advice', advice));
  const { ignoresTemplate } = reading.sink;
  if (templateRef !== undefined && ignoresTemplate !== undefined) {
    const message = `sink ${sink.name}: templateRef has no effect: ${ignoresTemplate}`;
    problems.push(problemAt(manifest, [...path, 'templateRef'], 'warning', 'template', message));
  }
  // A template with an error fails for each event: that is said already.
  if (template?.isBroken === true) return problems;
  const findings = await messageFindings(reading.sink, sink, notification, template, settings);
  const place = template?.manifest ?? manifest;
  return [
    ...problems,
    ...findings.map(({ severity, message }) =>
      problemAt(place, template?.path ?? path, severity, 'message', `sink ${sink.name}: ${message}`),
    ),
  ];
}

type Configured =
  | {
      readonly ok: true;
      readonly config: Found<string | Uint8Array>;
      readonly reading: Extract<ReturnType<typeof readSink>, { ok: true }>;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads the configuration of a sink, or says why it is not usable. */
function readSecret(secret: Manifest, sink: SinkEntry, settings: SinkSettings): Configured {
  const refused = (path: Path, message: string): Configured => ({
    ok: false,
    problems: [problemAt(secret, path, 'error', 'config', message)],
  });
  const found = secretOf(secret, sink.type);
  if (found === undefined)
    return refused(['stringData'], 'it has no key config: put the JSON of the sink there');
  if (found instanceof UnusableValue) return refused(found.path, found.message);
  const { config, files, keys } = found;
  const reading = readSink(sink.type, config.value, settings, files, keys);
  return reading.ok
    ? { ok: true, config, reading }
    : { ok: false, problems: reading.problems.map((text) => aboutConfig(secret, config, text, sink)) };
}

interface FoundTemplate {
  readonly manifest: Manifest;
  readonly path: Path;
  readonly name: string;
  readonly text: string;
  /** Whether the linter has found an error. */
  readonly isBroken: boolean;
}

const WORDS = { Secret: 'secret', ConfigMap: 'config map' } as const;

type Missing = (kind: keyof typeof WORDS, name: string, where: Path) => Problem;

/** An error only where it is sure that there is no such object. */
function missingProblem(
  manifest: Manifest,
  kind: keyof typeof WORDS,
  name: string,
  path: Path,
  objects: Objects,
  { complete }: ValidateOptions,
): Problem {
  const what = `${WORDS[kind]} ${name}`;
  if (complete.has(kind))
    return problemAt(
      manifest,
      path,
      'error',
      'reference',
      `${what} does not exist: create it, or correct the name`,
    );
  const hashed = hashedName(objects, manifest, kind, name);
  if (hashed !== undefined)
    return problemAt(
      manifest,
      path,
      'warning',
      'reference',
      `${what} is in none of the files, but ${hashed} is: kustomize has added its hash there and not here; add the component name-references of deploy/kustomize to the kustomization`,
    );
  const why = manifest.file === CLUSTER ? 'could not be read' : 'is in none of the files';
  return problemAt(manifest, path, 'note', 'reference', `${what} ${why}, so it was not checked`);
}

function templateOf(
  { templateRef }: SinkEntry,
  beside: Manifest,
  objects: Objects,
  missing: Missing,
  problems: Problem[],
  seen: Set<string>,
): FoundTemplate | undefined {
  if (templateRef === undefined) return undefined;
  const { name, key } = templateRef;
  const manifest = objects.beside(beside, 'ConfigMap', name);
  if (manifest === undefined) {
    problems.push(missing('ConfigMap', name, ['templateRef', 'name']));
    return undefined;
  }
  const found = templateTextOf(manifest, key);
  if (found === undefined) {
    problems.push(problemAt(manifest, ['data'], 'error', 'template', `it has no key ${key}`));
    return undefined;
  }
  const { path, value: text } = found;
  const findings = lint(text, PAYLOAD, { funcs: functions });
  const id = `${nameOf(manifest)}/${key}`;
  // Several sinks may use it.
  if (!seen.has(id))
    for (const { line, column, severity, message } of findings) {
      const place = manifest.within(path, line, (column ?? 0) + 1);
      // Text in JSON or in quotes has no lines of its own in the file, nor has a cluster.
      const hasLines = place.line !== manifest.position(path).line;
      const where = `${key}${placeInWords(line, column)}: `;
      problems.push({
        ...problemAt(manifest, path, severity, 'template', `${hasLines ? '' : where}${message}`),
        ...place,
      });
    }
  seen.add(id);
  const isBroken = findings.some(({ severity }) => severity === 'error');
  return { manifest, path, name: `${name}/${key}`, text, isBroken };
}

/** A problem of a configuration: at the place of the syntax error, or at the field that the text begins with. */
function aboutConfig(
  secret: Manifest,
  { path, value }: Found<string | Uint8Array>,
  text: string,
  sink: SinkEntry,
): Problem {
  const message = `as ${sink.type} of sink ${sink.name}: ${text}`;
  const [, line = '1', column = '1'] = /line (\d+), column (\d+)/.exec(text) ?? [];
  const [, field = ''] = /^(?:field )?[\w.]*?(\w+)(?::| is )/.exec(text) ?? [];
  const at = typeof value === 'string' ? value.indexOf(`"${field}"`) : -1;
  const before = at < 0 || typeof value !== 'string' ? undefined : value.slice(0, at).split('\n');
  const place =
    before === undefined ? [Number(line), Number(column)] : [before.length, (before.at(-1) ?? '').length + 1];
  return {
    ...problemAt(secret, path, 'error', 'config', message),
    ...secret.within(path, place[0] ?? 1, place[1] ?? 1),
  };
}

import { type Notification, suspensionAt } from '@hnotif/core/resources';
import { describeSuspension } from '../../status/words.ts';
import { aboutSchema, metadataProblems, parsed, schemaProblemAt, sinksAlone } from './about-resource.ts';
import { aboutSink } from './about-sink.ts';
import { identityProblems, isNotification } from './identity.ts';
import type { Manifest } from './manifests.ts';
import { Objects } from './objects.ts';
import { problemAt, type Problem } from './problems.ts';
import type { ValidateOptions } from './validate-options.ts';

/** All that hnotif would object to in these objects, in the order of the files. */
export async function validate(
  manifests: readonly Manifest[],
  options: ValidateOptions,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const templates = new Set<string>();
  const objects = new Objects(manifests, options.namespace);
  problems.push(...identityProblems(manifests, objects, options.apiGroup));
  for (const manifest of manifests) {
    const isOurs = isNotification(manifest, options.apiGroup);
    const found = [...metadataProblems(manifest), ...(isOurs ? aboutSchema(manifest, options.apiGroup) : [])];
    problems.push(...found.map((each) => schemaProblemAt(manifest, each)));
    if (!isOurs) continue;
    const notification = parsed(manifest, found, problems);
    if (notification !== undefined) problems.push(...alwaysMuted(manifest, notification, options));
    const checked = notification ?? sinksAlone(manifest);
    if (checked === undefined) continue;
    for (const [at, sink] of checked.sinks.entries())
      problems.push(...(await aboutSink(manifest, checked, at, sink, objects, templates, options)));
  }
  return problems;
}

/** A schedule that never ends. */
function alwaysMuted(
  manifest: Manifest,
  { muteSchedule }: Notification,
  { clock }: ValidateOptions,
): readonly Problem[] {
  const suspension = muteSchedule && suspensionAt({ muteSchedule }, clock.now());
  return suspension === undefined || suspension.until !== undefined
    ? []
    : [problemAt(manifest, ['spec', 'muteSchedule'], 'warning', 'schema', describeSuspension(suspension))];
}

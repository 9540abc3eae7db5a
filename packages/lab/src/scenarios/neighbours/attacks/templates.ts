import { fromJS } from '@hnotif/gotemplate';
import { pause } from '../../../wait.ts';
import { succeed } from '@hnotif/core/lifecycle';
import { compile } from '@hnotif/core/render';
import type { Attack } from '../beside.ts';
import { DEAD_URL, manySinks } from './sinks.ts';

/** The largest text of a config map, with some room for its name. */
const LARGEST = 1_000_000;
/** The time of the template. The limit is one second, and on a busy machine the template takes longer than when it was measured. */
const SLOW_MS = 500;
const MEASURED = 50;

/** Row 4: many sinks with one large template. */
export const LARGE_TEMPLATES: Attack = {
  row: '4',
  title: 'one 1 MB config map as template of 20 notifications × 32 sinks, no event',
  // hnotif checks all these sinks while the victim is measured.
  flags: ['--kube-api-qps=500', '--kube-api-burst=500'],
  async attack({ attacker }) {
    await attacker.secret('dead', { url: DEAD_URL, enable_renderer: true });
    await attacker.template('large', `{{/*${'x'.repeat(LARGEST)}*/}}`);
    await manySinks(attacker, {
      ...{ notifications: 20, secret: 'dead', template: 'large' },
    });
  },
};

const slow = (rounds: number): string =>
  `{{ $s := repeat 20000 "ab" }}{{ range until ${rounds} }}{{ $x := regexMatch "(?i)k" $s }}{{ end }}done`;

/** A template that takes about this time on this machine (milliseconds). */
function slowTemplate(ms: number): string {
  const data = fromJS({});
  const measured = compile({ name: 'measured', text: slow(MEASURED) });
  measured.execute(data);
  const begun = performance.now();
  measured.execute(data);
  return slow(Math.ceil((MEASURED * ms) / (performance.now() - begun)));
}

/** Row 5: slow templates that succeed keep all template workers busy. */
export const SLOW_TEMPLATES: Attack = {
  row: '5',
  title: `60 notifications with a template that takes ${SLOW_MS} ms and succeeds`,
  victim: { template: '{{ .Event }} {{ .Plan.Name }}' },
  async prepare({ attacker, receiver }) {
    await attacker.secret('own', { url: `${receiver.url}own`, enable_renderer: true });
    await attacker.template('slow', slowTemplate(SLOW_MS));
    await manySinks(attacker, {
      ...{ notifications: 60, sinks: 1, secret: 'own', template: 'slow' },
    });
    await attacker.plan('p0');
  },
  async attack({ attacker }, signal) {
    for (let cycle = 0; !signal.aborted && cycle < 3; cycle++) {
      await attacker.begins('p0', { cycle: `c${cycle}` });
      await attacker.write('p0', succeed);
      await pause(4_000, signal);
    }
  },
};

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { asked, command } from './support/command.ts';
import {
  collection,
  configMapObject,
  notificationObject,
  planObject,
  secretObject,
} from '../../lab/src/objects.ts';
import { variations } from './support/variations.ts';
import { NAMESPACE, World } from './support/world.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** What the command says about a text on its standard input. */
const checked = (text: string, ...flags: readonly string[]) => command(['validate', '-', ...flags], text);

const WRONG = `apiVersion: hibernation.dev/v1alpha1
kind: HibernateNotification
metadata: { name: night, namespace: shop }
spec:
  selector:
    matchLabels: { "my key!": shop }
  onEvents: [Start, Sucess]
  sink: []
  sinks:
    - { name: ops, type: webhok, secretRef: { name: ops } }
    - { name: ops, type: teamchat, secretRef: { name: chat } }
---
apiVersion: hibernation.dev/v1alpha1
kind: HibernateNotification
metadata: { name: good, namespace: shop }
spec:
  selector: { matchLabels: {} }
  onEvents: [Start, Failure]
  sinks:
    - { name: ops, type: webhook, secretRef: { name: ops } }
    - name: chat
      type: teamchat
      secretRef: { name: chat }
      templateRef: { name: tpl }
    - { name: phone, type: botchat, secretRef: { name: nowhere } }
---
apiVersion: v1
kind: Secret
metadata: { name: ops, namespace: shop }
stringData:
  config: |
    {
      "ulr": "https://hooks.example.com/canary"
    }
---
apiVersion: v1
kind: Secret
metadata: { name: chat, namespace: shop }
stringData:
  config: |
    {
      "webhook_url": "https://hooks.slack.com/services/T0/B0/canary",,
    }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: tpl, namespace: shop }
data:
  template.gotpl: |
    {{ if eq .Event "Start" }}
    {{ .Plan.Nmae }}
    {{ end }}
`;

describe('hnotif validate', () => {
  it('names each problem with its place, in JSON within a secret and in a template, too, without a credential', async () => {
    const { exit, out, err } = await checked(WRONG);
    expect(exit).toBe(1);
    expect(out).toEqual([
      '-:6:20: error: HibernateNotification shop/night: spec.selector.matchLabels.my key!: no label can have this key [schema]',
      expect.stringMatching(
        /^-:7:21: error: .*spec\.onEvents\[1\]: must be one of .*; did you mean Success\? \[schema\]$/,
      ),
      '-:8:3: warning: HibernateNotification shop/night: spec.sink: is not known and has no effect [schema]',
      expect.stringMatching(
        /^-:10:20: error: .*spec\.sinks\[0\]\.type: must be one of .*; did you mean webhook\?/,
      ),
      expect.stringMatching(/^-:11:9: error: .*spec\.sinks\[1\]\.name: is the same as that of another entry/),
      expect.stringMatching(
        /^-:25:50: note: .*secret nowhere is in none of the files, so it was not checked \[reference\]$/,
      ),
      expect.stringMatching(/^-:32:5: error: Secret shop\/ops: as webhook of sink ops: url: is missing; /),
      expect.stringMatching(/^-:33:7: error: .*field ulr is not known and has no effect; did you mean url\?/),
      expect.stringMatching(
        /^-:42:70: error: Secret shop\/chat: .*is not JSON: see line 2, column 66; remove one of the two commas \[config\]$/,
      ),
      expect.stringMatching(
        /^-:51:13: error: ConfigMap shop\/tpl: .*has no field Nmae; did you mean \.Plan\.Name\? \[template\]$/,
      ),
    ]);
    expect(err).toEqual(['2 notifications checked: 8 errors, 1 warning, 1 note']);
    expect(out.join()).not.toContain('canary');
  });

  it.each([
    [
      '# canary\nwebhook_url: https://hooks.slack.com/services/T0/B0/canary',
      /error: .*is not JSON: .*it looks like YAML: write it as \{"webhook_url": …\}, or convert it/,
    ],
    [
      '{"webhook_url": "https://hooks.slack.com/services/T0/B0/canary", "channel": "#canary"}',
      /warning: .*field channel .*has no effect: the address in webhook_url decides the channel \[config\]$/,
    ],
    [
      '{webhook_url: "https://hooks.slack.com/services/T0/B0/canary"}',
      /error: .*is not JSON: see line 1, column 2; write texts and the names of fields in double quotes/,
    ],
  ])('names the remedy of the configuration %j', async (config, remedy) => {
    const notification = `${WRONG.split('---\n')[1]}`.replace('      templateRef: { name: tpl }\n', '');
    const secret = {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'chat', namespace: 'shop' } },
      stringData: { config },
    };
    const { out } = await checked([notification, stringify(secret, { version: '1.1' })].join('---\n'));
    expect(out).toContainEqual(expect.stringMatching(remedy));
    expect(out.join()).not.toContain('canary');
  });

  it('finds nothing in the examples, whose receivers are on loopback', async () => {
    const loose = await command([
      'validate',
      '-R',
      join(ROOT, 'examples'),
      '--allow-insecure-http',
      '--strict',
    ]);
    expect(loose).toMatchObject({ exit: 0, out: [] });
    const strict = await command(['validate', join(ROOT, 'examples')]);
    expect(strict.exit).toBe(1);
    expect(strict.out[0]).toMatch(/30-secrets-webhook\.yaml:\d+:\d+: error: .*only https is allowed/);
  });

  it('tries each message of a template, and says which events fail', async () => {
    const [head] = WRONG.split('---\n').slice(1);
    const config = '{"webhook_url":"https://hooks.slack.com/services/T0/B0/x","format":"json"}';
    const objects = [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'chat', namespace: 'shop' },
        stringData: { config },
      },
      {
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'tpl', namespace: 'shop' } },
        data: {
          'template.gotpl':
            '{{ if eq .Event "Failure" }}{"blocks":[{"type":"header"}]}{{ else }}{{ .Event }}{{ end }}',
        },
      },
    ];
    const { out } = await checked(
      [head, ...objects.map((each) => stringify(each, { version: '1.1' }))].join('---\n'),
    );
    expect(out).toContainEqual(
      expect.stringMatching(
        /error: ConfigMap shop\/tpl: sink chat: Failure of a shutdown .*, and \d+ more: .* \[message\]$/,
      ),
    );
  });

  it.each([
    [{}, false],
    [{ enable_renderer: true }, true],
  ])('with %j a template that a webhook renders is judged, and no other one', async (options, isJudged) => {
    const items = [
      notificationObject('n', {
        onEvents: ['Start', 'Success'],
        sinks: [{ name: 's', type: 'webhook', templateRef: { name: 'texts', key: 's' } }],
      }),
      secretObject('s', JSON.stringify({ url: 'https://ci.example/x', ...options })),
      configMapObject('texts', { s: 'a night' }),
    ];
    const { out } = await checked(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    expect(out.some((line) => line.includes('the message is the same for each event'))).toBe(isJudged);
    expect(out.some((line) => line.includes('enable_renderer is not true'))).toBe(!isJudged);
  });

  it('reads each template once, also two of one config map', async () => {
    const [notification = ''] = WRONG.split('---\n').slice(1);
    const twice = notification.replace(
      'templateRef: { name: tpl }',
      'templateRef: { name: tpl, key: a }\n    - name: second\n      type: teamchat\n      secretRef: { name: chat }\n      templateRef: { name: tpl, key: b }',
    );
    const data = { a: '{{ .A }}', b: '{{ .B }}' };
    const tpl = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'tpl', namespace: 'shop' }, data };
    const { out } = await checked([twice, stringify(tpl, { version: '1.1' })].join('---\n'));
    expect(out.filter((line) => line.includes('[template]'))).toEqual([
      expect.stringMatching(/has no field A/),
      expect.stringMatching(/has no field B/),
    ]);
  });

  it('prints JSON, and SARIF for code hosts', async () => {
    const problems = JSON.parse((await checked(WRONG, '-o', 'json')).out.join('\n')) as {
      rule: string;
      line: number;
    }[];
    expect(problems[0]).toMatchObject({ file: '-', line: 6, column: 20, severity: 'error', rule: 'schema' });
    const sarif = JSON.parse((await checked(WRONG, '-o', 'sarif')).out.join('\n')) as {
      runs: [{ tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string; level: string }[] }];
    };
    const [{ tool, results }] = sarif.runs;
    const rules = new Set(tool.driver.rules.map(({ id }) => id));
    expect(results).toHaveLength(problems.length);
    for (const { ruleId, level } of results) {
      expect(rules).toContain(ruleId);
      expect(['error', 'warning', 'note']).toContain(level);
    }
  });

  it.each([
    ['a: [', /^-:1:5: error: Flow sequence .* \[yaml\]$/],
    ['- 1\n', /it is not an object/],
    [
      '{"apiVersion":"hibernation.dev/v1alpha1","kind":"HibernateNotification"}',
      /1:1: error: HibernateNotification: spec: is missing/,
    ],
  ])('%j is reported in one line each, without a stack', async (text, message) => {
    const { exit, out, err } = await checked(text);
    expect(exit).toBe(1);
    expect(out[0]).toMatch(message);
    expect(err.join()).not.toMatch(/ at |fault of hnotif/);
  });

  it('reports the faults of sinks although another field is wrong, and a text that is not base64', async () => {
    const head = WRONG.split('---\n')[1]?.replace('[Start, Failure]', '[Start, Sucess]') ?? '';
    const secret =
      'kind: Secret\napiVersion: v1\nmetadata: { name: ops, namespace: shop }\ndata: { config: "{}" }\n';
    const { out } = await checked(`${head}---\n${secret}`);
    expect(out).toEqual(
      expect.arrayContaining([
        expect.stringContaining('spec.onEvents[1]'),
        expect.stringContaining('data.config is not base64: put the JSON as it is under stringData'),
      ]),
    );
  });

  it('reads a folder whose name looks like a file, and names a file with a blank as a URI in SARIF', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hnotif-validate-'));
    await mkdir(join(folder, 'x.yaml'));
    await writeFile(join(folder, 'my night.yaml'), WRONG);
    const { out, err } = await command(['validate', folder, '-o', 'sarif']);
    await rm(folder, { recursive: true });
    expect(err).toEqual([]);
    expect(out.join('\n')).toContain('/my%20night.yaml"');
  });

  const GOOD = WRONG.split('---\n')[1] ?? '';
  const OPS = `apiVersion: v1
kind: Secret
metadata: { name: ops, namespace: shop }
stringData:
  config: { "url": "https://hooks.example.com/canary" }
`;

  it('says that a configuration is an object and not a string, with the remedy', async () => {
    const { out } = await checked(`${GOOD}---\n${OPS}`);
    expect(out).toContainEqual(
      '-:19:3: error: Secret shop/ops: stringData.config is an object, not a string: write config: | and the JSON, indented, in the lines below it, under stringData [config]',
    );
    expect(out.join()).not.toContain('canary');
  });

  it('a notification of a group like ours is a warning, and is not counted as checked', async () => {
    expect(await checked(GOOD.replace('hibernation.dev', 'hibernate.dev'))).toEqual({
      exit: 0,
      out: [expect.stringMatching(/^-:1:1: warning: .*did you mean hibernation\.dev\? .*\[schema\]$/)],
      err: ['0 notifications checked: 0 errors, 1 warning, 0 notes'],
    });
    expect((await checked(GOOD.replace('v1alpha1', 'v1'))).exit).toBe(1);
    expect(await checked(GOOD.replace('hibernation.dev', 'alerts.example.com'))).toEqual({
      ...{ exit: 2, out: [] },
      err: [
        'error: there is no HibernateNotification of the group hibernation.dev in the files: name its file, or another group with --api-group',
      ],
    });
  });

  it.each([
    [GOOD.replace('spec:', 'sepc:'), ['sepc: is not known; did you mean spec?']],
    [
      GOOD.replace('secretRef: { name: ops }', 'secretRef: ops'),
      ['spec.sinks[0].secretRef: must be an object, found a string'],
    ],
    [
      GOOD.replace(/ {2}selector.*\n/, ''),
      ['spec.selector: is missing; set it to an object with matchLabels'],
    ],
    [
      GOOD.replace('{ matchLabels: {} }', '{ matchLabels: { a.b/c: 5 } }'),
      ['spec.selector.matchLabels.a.b/c: must be a string, found a number; write it in quotes'],
    ],
  ])('%#: one mistake is one error', async (text, messages) => {
    const { out } = await checked(text);
    const errors = out.flatMap(
      (line) => / error: HibernateNotification shop\/good: (.*) \[schema\]$/.exec(line)?.[1] ?? [],
    );
    expect(errors).toEqual(messages);
  });

  it('without a notification says what to give', async () => {
    const err = ['nothing was checked: there is no HibernateNotification in the files; name its file, too'];
    expect(await checked('kind: ConfigMap\n')).toEqual({ exit: 0, out: [], err });
    expect(await checked('')).toEqual({ exit: 0, out: [], err });
    expect(await checked('kind: ConfigMap\n', '--strict')).toEqual({ exit: 1, out: [], err });
    expect(await checked('kind: ConfigMap\n', '-o', 'json')).toEqual({ exit: 0, out: ['[]'], err });
  });

  it('gives the key, the line and the column in a template that has no lines in the file', async () => {
    const sinks = [{ name: 's', type: 'teamchat', templateRef: { name: 'words' } }] as const;
    const template = 'Night\n{{ .Plan.Nam }}\n{{ if }}';
    const items = [
      notificationObject('n', { onEvents: ['Start'], sinks }),
      secretObject(
        's',
        '{"webhook_url":"https://hooks.slack.com/services/T0/B0/x","format":"text","format":"json"}',
      ),
      configMapObject('words', { 'template.gotpl': template.replace('\n{{ if }}', '') }),
    ];
    const { out } = await checked(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    expect(out).toEqual([
      expect.stringMatching(
        /^-:1:\d+: error: ConfigMap words: template\.gotpl, line 2, column 9: .*Nam.* \[template\]$/,
      ),
      expect.stringMatching(
        /^-:1:\d+: warning: Secret s: .*: field format is there twice, and the last one counts; remove one of them \[config\]$/,
      ),
    ]);
    const quoted = `kind: ConfigMap\napiVersion: v1\nmetadata: { name: words }\ndata:\n  template.gotpl: ${JSON.stringify(template)}\n`;
    const mixed = await checked(
      `${items
        .slice(0, 2)
        .map((each) => stringify(each, { version: '1.1' }))
        .join('---\n')}---\n${quoted}`,
    );
    expect(mixed.out).toContainEqual(
      expect.stringMatching(/^-:\d{2}:3: error: ConfigMap words: template\.gotpl, line 3: .* \[template\]$/),
    );
  });

  it('reads a file with very many keys, and refuses a key that is there twice', async () => {
    const keys = Array.from({ length: 170_000 }, (_, at) => `k${at}: v`).join('\n');
    expect((await checked(`kind: ConfigMap\ndata: {}\n${keys}\n`)).exit).toBe(0);
    expect(await checked('kind: Secret\nmetadata:\n  name: a\n  name: b\n')).toMatchObject({
      exit: 1,
      out: ['-:4:3: error: the key name is there twice [yaml]'],
      err: ['0 notifications checked: 1 error, 0 warnings, 0 notes'],
    });
  });

  it('refuses what the API server refuses, and nothing else', async () => {
    const world = await World.start();
    const verdicts = await Promise.all(
      variations().map(async ({ change, object }) => {
        const stored = await world.kube
          .post(collection(NAMESPACE, 'hibernatenotifications'), object)
          .then(() => true)
          .catch(() => false);
        return { change, stored, valid: (await checked(stringify(object, { version: '1.1' }))).exit === 0 };
      }),
    );
    expect(verdicts.filter(({ stored, valid }) => stored !== valid)).toEqual([]);
    expect(verdicts.filter(({ stored }) => stored).length).toBeGreaterThanOrEqual(2);
  });

  it.each(['yes', 'Off', 'y'])('%s without quotes is a boolean, as for kubectl', async (word) => {
    const text = (value: string): string => `
apiVersion: hibernation.dev/v1alpha1
kind: HibernateNotification
metadata: { name: ${value}, namespace: shop, labels: { oncall: ${value} } }
spec:
  labels: { oncall: ${value} }
  selector: { matchLabels: { oncall: ${value} } }
  onEvents: [Start]
  suspend: ${word}
  sinks: [{ name: ${value.toLowerCase()}, type: webhook, secretRef: { name: s } }]
`;
    const errors = async (value: string) =>
      (await checked(text(value))).out.filter((line) => line.includes('error'));
    expect(await errors(`"${word}"`)).toEqual(
      word === 'Off' ? [expect.stringMatching(/metadata\.name/)] : [],
    );
    const fields = ['metadata.name', 'metadata.labels.oncall', 'spec.labels.oncall'];
    expect(await errors(word)).toEqual(
      [...fields, 'spec.selector.matchLabels.oncall', 'spec.sinks[0].name'].map(
        (field) =>
          expect.stringContaining(
            `${field}: must be a string, found a boolean; write it in quotes`,
          ) as string,
      ),
    );
  });

  const CHANNEL = { webhook_url: 'https://hooks.slack.com/services/T0/B0/canary' };
  const BOT = { bot_token: 'xoxb-canary', channel_id: 'C0123456789' };
  const TELEGRAM = { token: '123456789:AAbb-CC_ddEEffGGhhIIjjKKllMMnnOOppQ', chat_id: '-1001234567890' };
  const EVENTS = ['Start', 'ExecutionProgress', 'Success', 'Failure'];

  it.each([
    // Start, Success, and two changes of each of two targets; the rate limit takes 50 a minute.
    [
      24,
      CHANNEL,
      EVENTS,
      '24 plans match, so a night without failures has 144 messages, which the rate limit sends in 3 minutes',
    ],
    [
      24,
      { ...CHANNEL, format: 'json', rate_limit: { rate: 1, unit: 'second' } },
      EVENTS,
      '96 messages, which the rate limit sends in 96 seconds',
    ],
    [24, { ...BOT, delivery_mode: ' Thread' }, EVENTS, '144 messages in 24 threads, which'],
    [24, { ...BOT, delivery_mode: ' Board' }, EVENTS, undefined],
    [24, TELEGRAM, EVENTS, '144 messages, which the rate limit sends in \\d+ seconds'],
    [24, { ...TELEGRAM, delivery_mode: 'board' }, EVENTS, undefined],
    [24, CHANNEL, ['Failure', 'Recovery'], undefined],
    [20, CHANNEL, EVENTS, undefined],
  ])('recommends a board for %i plans with %j and %j: %s', async (count, config, onEvents, words) => {
    const plan = (at: number, team: string) => planObject(`plan-${at}`, ['db', 'vm'], { labels: { team } });
    const items = [
      notificationObject('n', {
        ...{ onEvents, selector: { matchLabels: { team: 'shop' } } },
        sinks: [{ name: 's', type: 'token' in config ? 'botchat' : 'teamchat' }],
      }),
      secretObject('s', JSON.stringify(config)),
      ...Array.from({ length: count }, (_, at) => plan(at, 'shop')),
      ...[plan(900, 'other'), plan(0, 'shop')],
    ];
    const { exit, out } = await checked(JSON.stringify({ kind: 'List', items }), '--strict');
    expect(exit).toBe(0);
    expect(out).toEqual(
      words === undefined
        ? []
        : [
            expect.stringMatching(
              new RegExp(
                `note: .* sink s: .*${words}.*"delivery_mode": "board" shows the night in one message.* \\[advice\\]$`,
              ),
            ),
          ],
    );
  });

  it('checks the objects of a cluster with the rights of its user', async () => {
    const world = await World.start();
    await world.secret('n', { url: 'https://10.0.0.1/hook' });
    await world.notification('n', { onEvents: ['Start'] });
    const { exit, out } = await asked(world, 'validate', `--namespace=${NAMESPACE}`);
    expect(exit).toBe(1);
    expect(out).toEqual([expect.stringMatching(/^error: Secret team-a\/n: .*--egress-allow/)]);
    await world.secret('chat', CHANNEL);
    await world.notification('chat', { onEvents: EVENTS, sinks: [{ name: 'chat', type: 'teamchat' }] });
    for (let at = 0; at < 21; at++) await world.plan(`plan-${at}`, ['db']);
    for (const question of ['validate', 'doctor'])
      expect((await asked(world, question, `--namespace=${NAMESPACE}`)).out).toContainEqual(
        expect.stringMatching(/note.*sink chat: 21 plans match, so a night without failures has 84 messages/),
      );
  });
});

/** What validate says of the messages of a template for each event. */
async function saidOf(template: string, type: 'teamchat' | 'botchat', config: object) {
  const onEvents = ['Start', 'Success', 'Failure', 'Recovery', 'PhaseChange', 'ExecutionProgress'];
  const sinks = [{ name: 's', type, templateRef: { name: 'texts' } }];
  const objects = [
    notificationObject('n', { onEvents, sinks }),
    secretObject('s', JSON.stringify(config)),
    configMapObject('texts', { 'template.gotpl': template }),
  ];
  const { out } = await checked(objects.map((each) => stringify(each, { version: '1.1' })).join('---\n'));
  return out.filter((line) => line.endsWith('[message]'));
}

const BOT = { token: '123456:canary-bot-token-of-thirty-five-x', chat_id: -1001 };
const BLOCKS = { webhook_url: 'https://hooks.slack.com/services/T0/B0/canary', format: 'json' };

it.each([
  ['<b>{{ .Event }}</b><br/>', 'botchat', BOT, 'Unsupported start tag "br/"'],
  ['{{ define "x" }}x{{ end }}', 'botchat', BOT, 'the output is empty'],
  ['{{ .Event }} {{ .ErrorMessage }}', 'botchat', BOT, 'the text comes from .ErrorMessage'],
  ['{"text":"{{ .Event }}", {{ .RetryCount }}}', 'teamchat', BLOCKS, 'the output is not JSON'],
] as const)('one mistake, %s, is one finding', async (template, type, config, words) => {
  expect(await saidOf(template, type, config)).toEqual([expect.stringContaining(words)]);
});

import { expect, it } from 'vitest';
import { systemClock } from '@hnotif/core/clock';
import { recordingSettings } from '@hnotif/core/rehearsal';
import type { Notification } from '@hnotif/core/resources';
import { readSink } from '@hnotif/core/sinks';
import { templateFaultOf } from './template-rehearsal.ts';

/** A function that tries a text as the template of a bot's sink. */
function rehearsalOf(config: object) {
  const settings = recordingSettings(
    {
      ...{ clock: systemClock, chatApiUrl: 'https://slack.com/api', botApiUrl: 'https://api.telegram.org' },
      ...{ problem: () => undefined, readTls: () => ({ ok: true, tls: undefined }) as const },
    },
    { namespace: 'shop', notification: 'n', sink: 'n' },
  );
  const token = '123456:canary-bot-token-of-thirty-five-x';
  const reading = readSink('botchat', JSON.stringify({ token, chat_id: -1001, ...config }), settings);
  if (!reading.ok) throw new Error(reading.problems.join());
  const entry = { name: 'n', type: 'botchat', secretRef: { name: 'n' }, templateRef: undefined } as const;
  return (text: string, subscription: Partial<Pick<Notification, 'onEvents' | 'labels'>>) => {
    const template = { name: 'texts/template.gotpl', text };
    return templateFaultOf(reading.sink, entry, template, { onEvents: ['Start'], ...subscription });
  };
}

it('tries a template with the labels of the notification', async () => {
  const faultOf = rehearsalOf({});
  const text = '{{ .Event }}{{ with .Labels.team }} <b>{{ . }}{{ end }}';
  expect(await faultOf(text, {})).toBeUndefined();
  expect(await faultOf(text, { labels: { team: 'shop' } })).toMatchObject({ reason: 'TemplateDoubtful' });
});

it.each([
  ['{{ .Plan.Name }}', '.Plan.Name'],
  ['{{ .Plan.Namespace }}', '.Plan.Namespace'],
  ['{{ .CycleID }}', '.CycleID'],
  ['{{ range .Targets }}{{ .Connector.Region }} {{ end }}', '.Connector.Region'],
  ['{{ .Timestamp.Format "2006-01-02" }}', '.Timestamp.Format "2006-01-02"'],
])('finds that %s is not escaped for MarkdownV2', async (text, field) => {
  const faultOf = rehearsalOf({ parse_mode: 'MarkdownV2' });
  const fault = await faultOf(`{{ .Event }} ${text}`, {});
  expect(fault?.message).toContain(`write {{ ${field} | escapeMarkdown }}`);
  const escaped = text.replace(field, `${field} | escapeMarkdown`);
  expect(await faultOf(`{{ .Event }} ${escaped}`, {})).toBeUndefined();
});

it('finds that for HTML a value is escaped by escapeMarkdown, and names escapeHTML', async () => {
  const faultOf = rehearsalOf({ parse_mode: 'HTML' });
  const fault = await faultOf('{{ .Event }} {{ .ErrorMessage | escapeMarkdown }}', { onEvents: ['Failure'] });
  expect(fault?.message).toContain('write {{ .ErrorMessage | escapeHTML }} instead of escapeMarkdown');
});

it('finds that the message is the same for each event', async () => {
  const faultOf = rehearsalOf({});
  const onEvents = ['Start', 'Success'] as const;
  expect(await faultOf('{{ .Plan.Name }} has changed', { onEvents })).toMatchObject({
    reason: 'OutputDoubtful',
    message: expect.stringMatching(/^template texts\/template.gotpl: the message is the same/) as string,
  });
  expect(await faultOf('{{ .Event }} of {{ .Plan.Name }}', { onEvents })).toBeUndefined();
  expect(await faultOf('{{ .Plan.Name }} has changed', { onEvents: ['Start'] })).toBeUndefined();
});

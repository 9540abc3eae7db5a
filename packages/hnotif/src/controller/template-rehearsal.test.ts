import { expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { recordingSettings } from '../cli/offline/recording.ts';
import { readSink } from '../sinks/registry.ts';
import { TemplateRehearsals } from './template-rehearsal.ts';

it('tries a template with the labels of the notification', async () => {
  const settings = recordingSettings(
    {
      ...{ clock: systemClock, chatApiUrl: 'https://slack.com/api', botApiUrl: 'https://api.telegram.org' },
      ...{ problem: () => undefined, readTls: () => ({ ok: true, tls: undefined }) as const },
    },
    { namespace: 'shop', notification: 'n', sink: 'n' },
  );
  const config = JSON.stringify({ token: '123456:canary-bot-token-of-thirty-five-x', chat_id: -1001 });
  const reading = readSink('botchat', config, settings);
  if (!reading.ok) throw new Error(reading.problems.join());
  const entry = { name: 'n', type: 'botchat', secretRef: { name: 'n' }, templateRef: undefined } as const;
  const template = {
    name: 'texts/template.gotpl',
    text: '{{ .Event }}{{ with .Labels.team }} <b>{{ . }}{{ end }}',
  };
  const rehearsals = new TemplateRehearsals();
  const faultWith = (labels: Readonly<Record<string, string>>) =>
    rehearsals.faultOf(reading.sink, entry, template, { onEvents: ['Start'], labels });
  expect(await faultWith({})).toBeUndefined();
  expect(await faultWith({ team: 'shop' })).toMatchObject({ reason: 'TemplateDoubtful' });
});

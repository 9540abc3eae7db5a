import { useMemo } from 'preact/hooks';
import { Choice } from '../common/choice.tsx';
import { CodeEditor } from './code-editor.tsx';
import { RECIPES } from './cookbook.ts';
import { CopyButton } from '../common/copy-button.tsx';
import { EventChooser } from './event-chooser.tsx';
import { Findings } from './findings.tsx';
import { CONFIG_MAP, KEY } from './names.ts';
import { configMap } from './manifest.ts';
import { Result } from './result.tsx';
import { SINKS } from './sinks.ts';
import { useEvent, type Plans } from './use-event.ts';
import { useRehearsal } from './use-rehearsal.ts';
import { useWork } from './use-work.ts';

export type { PlanName, Plans } from './use-event.ts';

export interface EditorProps {
  /** Where real plans come from. Default: there are none. */
  readonly plans?: Plans;
}

/** Heading and facts, as most people want them. */
const FIRST = RECIPES.find(({ sink }) => sink === 'slack-json') ?? {
  sink: 'slack-text' as const,
  template: '',
};

/** Some chats cut longer addresses. */
const LONG_LINK = 8_000;

/** Left the template, right what people get: made in this page by the product's own code. */
export function Editor({ plans }: EditorProps) {
  const { work, isUnreadable, change, link } = useWork(FIRST);
  const { event, problem } = useEvent(work?.event, plans);
  const made = useRehearsal(work, event);
  const current = made?.template === work?.template ? made?.answer : undefined;
  const marks = useMemo(() => ({ text: made?.template ?? '', all: made?.answer?.marks ?? [] }), [made]);
  if (work === undefined) return <p class="empty">Reading the address …</p>;
  const recipe = RECIPES.findIndex(({ template, sink }) => template === work.template && sink === work.sink);
  return (
    <div class="editor">
      {isUnreadable && (
        <p class="banner" role="alert">
          The address holds no template: it may have been cut on its way. Ask for the whole link.
        </p>
      )}
      <form
        class="toolbar"
        aria-label="What to show"
        onSubmit={(submitted) => {
          submitted.preventDefault();
        }}
      >
        <Choice
          label="Start from"
          value={String(recipe)}
          options={[
            ...(recipe < 0 ? [['-1', 'own template'] as const] : []),
            ...RECIPES.map(({ title }, at) => [String(at), title] as const),
          ]}
          onChange={(at) => {
            const chosen = RECIPES[Number(at)];
            if (chosen !== undefined) change({ template: chosen.template, sink: chosen.sink });
          }}
        />
        <Choice
          label="Sink"
          value={work.sink}
          options={SINKS.map(({ id, label }) => [id, label])}
          onChange={(sink) => {
            change({ sink });
          }}
        />
        <EventChooser
          event={work.event}
          plans={plans}
          problem={problem ?? made?.answer?.eventProblem}
          onChange={(chosen) => {
            change({ event: chosen });
          }}
        />
      </form>
      <section class="source" aria-label="Template">
        <div class="head">
          <h2>Template</h2>
          <span class="faint">Ctrl-Space completes · Escape, then Tab leaves the editor</span>
        </div>
        <CodeEditor
          label="Template"
          value={work.template}
          marks={marks}
          onChange={(template) => {
            change({ template });
          }}
        />
        <Findings
          template={work.template}
          marks={current?.marks ?? []}
          hasFaults={current !== undefined && (current.faults.length > 0 || current.isDoubtful)}
          onFix={(template) => {
            change({ template });
          }}
        />
        <div class="actions">
          <CopyButton
            label="Copy as config map"
            of={work.template}
            done={`Copied: a config map ${CONFIG_MAP} with the key ${KEY}.`}
            text={() => configMap(CONFIG_MAP, KEY, work.template)}
          />
          <CopyButton
            label="Copy link"
            of={work}
            done={
              location.href.length > LONG_LINK
                ? 'Copied. The link is long: some chats cut it.'
                : 'Copied: the link holds the template and the event.'
            }
            text={link}
          />
        </div>
      </section>
      <div class="result">
        <Result made={made} />
      </div>
    </div>
  );
}

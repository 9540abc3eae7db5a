import { journalsOf } from '../group.ts';
import { customResource, type CustomResourceDefinition } from './definition.ts';
import { integer, labelName, object, objectName, text, time, type Schema } from './schema.ts';

/** No object is larger. */
const LARGEST = 1_048_576;

const packed = (description: string): Schema => text(description, LARGEST);
const map = (description: string, values: Schema, maxProperties: number): Schema => ({
  description,
  type: 'object',
  additionalProperties: values,
  maxProperties,
});

const ENTRY = object(
  'What is remembered of one plan. Texts are JSON; long ones are deflated, and begin with deflate-raw+base64.',
  {
    name: objectName('The plan.'),
    gen: integer('Rises with every write of this entry.', { format: 'int64' }),
    waiting: integer('Deliveries that wait.'),
    observed: packed('What was observed of the plan.'),
    streams: packed('The streams in which events wait.'),
    cursors: packed('How far each stream has come.'),
    log: map('The events that wait, by the place of the first of each text.', packed('JSON.'), 20_000),
    sinks: map('What each sink remembers, by notification/sink: its own JSON.', packed('JSON.'), 20_000),
    outcomes: map('How the last deliveries of progress and phase changes ended.', text('A line.', 1024), 20),
    nights: map('How the deliveries of the last nights ended.', text('A line.', 4096), 64),
    plan: packed('The plan, while deliveries wait: if it is deleted, they are sent with this state.'),
  },
  { required: ['name', 'gen', 'waiting', 'observed'] },
);

const SPEC = object(
  'What hnotif remembers of some plans of the namespace; written by it alone. Deleting a journal costs the deliveries that wait in it.',
  {
    instance: labelName('Name of the installation that keeps it.'),
    version: integer('Layout of this journal.'),
    gen: integer('Rises with every write.', { format: 'int64' }),
    writer: object(
      'Who wrote it last.',
      {
        holder: text('The process.', 512),
        term: integer('Rises with every change of the leader.', { format: 'int64' }),
      },
      { required: ['holder', 'term'] },
    ),
    summary: object('For those who list journals.', {
      plans: integer('Plans in it.'),
      waiting: integer('Deliveries that wait.'),
      oldest: time('When the oldest of them was accepted.'),
      for: text('The sinks for which they wait.', 1024),
    }),
    plans: map('By the uid of the plan.', ENTRY, 10_000),
  },
  { required: ['instance', 'version', 'gen', 'writer'] },
);

/** One writer owns all of it: the API server need not note and compare the owner of each field at each write. */
const ATOMIC_SPEC: Schema = { ...SPEC, 'x-kubernetes-map-type': 'atomic' };

/** The CRD of `HibernateNotificationJournal`. */
export const journalCrd = (group: string): CustomResourceDefinition =>
  customResource(group, {
    kind: 'HibernateNotificationJournal',
    plural: journalsOf(group).plural,
    shortNames: ['hnotifjournal'],
    description: 'What hnotif remembers of plans, so that nothing is lost when it ends.',
    spec: ATOMIC_SPEC,
    columns: [
      { name: 'Plans', type: 'integer', jsonPath: '.spec.summary.plans', description: 'Plans in it.' },
      {
        name: 'Waiting',
        type: 'integer',
        jsonPath: '.spec.summary.waiting',
        description: 'Deliveries that wait.',
      },
      {
        name: 'Oldest',
        type: 'date',
        jsonPath: '.spec.summary.oldest',
        description: 'How long the oldest of them has waited.',
      },
      { name: 'For', type: 'string', jsonPath: '.spec.summary.for', description: 'Their sinks.' },
      {
        name: 'Instance',
        type: 'string',
        jsonPath: '.spec.instance',
        description: 'Whose it is: --instance.',
        priority: 1,
      },
      {
        name: 'Writer',
        type: 'string',
        jsonPath: '.spec.writer.holder',
        description: 'Who wrote it last.',
        priority: 1,
      },
    ],
  });

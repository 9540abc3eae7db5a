import { journalsOf } from '../group.ts';
import { customResource, type CustomResourceDefinition } from './definition.ts';
import { integer, labelName, object, objectName, text } from './schema.ts';

const SPEC = object(
  'What hnotif remembers of one plan; written by it alone. Deleting one costs the deliveries that wait in it.',
  {
    instance: labelName('Name of the installation that keeps it.'),
    plan: object(
      'The plan.',
      { name: objectName('Its name.'), uid: text('Its uid.', 128, { minLength: 1 }) },
      { required: ['name', 'uid'] },
    ),
    version: integer('Layout of the content.'),
    gen: integer('Rises with every write.', { format: 'int64' }),
    writer: object(
      'Who wrote it last.',
      {
        holder: text('The process.', 512),
        term: integer('Rises with every change of the leader.', { format: 'int64' }),
      },
      { required: ['holder', 'term'] },
    ),
    pending: integer('Deliveries that wait.'),
    encoding: text('How the content is written.', 16, { enum: ['json', 'deflate'] }),
    content: text(
      'What was observed of the plan, the events that wait, the threads: JSON, or its raw deflate in base64.',
      1_048_576,
    ),
  },
  { required: ['instance', 'plan', 'version', 'gen', 'writer', 'encoding', 'content'] },
);

/** The CRD of `HibernateNotificationJournal`. */
export const journalCrd = (group: string): CustomResourceDefinition =>
  customResource(group, {
    kind: 'HibernateNotificationJournal',
    plural: journalsOf(group).plural,
    shortNames: ['hnotifjournal'],
    description: 'What hnotif remembers of a plan, so that nothing is lost when it ends.',
    spec: SPEC,
    columns: [
      { name: 'Plan', type: 'string', jsonPath: '.spec.plan.name', description: 'The plan.' },
      { name: 'Pending', type: 'integer', jsonPath: '.spec.pending', description: 'Deliveries that wait.' },
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

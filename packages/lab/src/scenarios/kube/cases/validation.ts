import { variations } from '../../../../../hnotif/e2e/support/variations.ts';
import type { Case } from '../case.ts';
import { answerOf } from '../answer.ts';

export const validation: Case = {
  name: 'validation',
  about:
    "Notifications that the server's schema and CEL rules accept or refuse, with the fields and messages of its answer.",
  run: async (stage) =>
    Promise.all(
      variations().map(async ({ change, object }) => {
        const answer = await stage.kube.ask(
          'POST',
          `${stage.path('hibernatenotifications')}?dryRun=All`,
          object,
        );
        return [JSON.stringify(change).slice(0, 100), answerOf(answer)] as const;
      }),
    ),
};

import { answerTo } from './common/use-answer.ts';
import type { PlanName, Plans } from './editor/editor.tsx';

/** The plans of the cluster, for the editor. */
export const PLANS: Plans = {
  list: async () => (await answerTo<{ readonly plans: readonly PlanName[] }>('/api/plans')).plans,
  get: (namespace, name) =>
    answerTo(`/api/plan?namespace=${encodeURIComponent(namespace)}&name=${encodeURIComponent(name)}`),
};

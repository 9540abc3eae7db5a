import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JobEvent } from './sources.ts';
import type { EventChoice } from './work.ts';

export interface PlanName {
  readonly namespace: string;
  readonly name: string;
}

/** The plans of a cluster. */
export interface Plans {
  list(): Promise<readonly PlanName[]>;
  /** The object, as the API server gives it. */
  get(namespace: string, name: string): Promise<unknown>;
}

type Read =
  | { readonly state: 'reading' }
  | { readonly state: 'read'; readonly object: unknown }
  | { readonly state: 'failed'; readonly why: string };

export interface ReadEvent {
  /** Undefined: it is being read. Of a plan that cannot be read, `object` is undefined. */
  readonly event: JobEvent | undefined;
  readonly problem: string | undefined;
}

/** The event with all that it needs: a plan is read from the cluster. */
export function useEvent(choice: EventChoice | undefined, plans: Plans | undefined): ReadEvent {
  const isPlan = choice?.from === 'plan';
  const [namespace, name] = isPlan ? [choice.namespace, choice.name] : ['', ''];
  const [plan, setPlan] = useState<Read>({ state: 'reading' });
  useEffect(() => {
    if (name === '') return;
    if (plans === undefined) {
      setPlan({ state: 'failed', why: 'this page knows no cluster; choose an example' });
      return;
    }
    let isWanted = true;
    setPlan({ state: 'reading' });
    plans.get(namespace, name).then(
      (object) => {
        if (isWanted) setPlan({ state: 'read', object });
      },
      (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        if (isWanted) setPlan({ state: 'failed', why: `${namespace}/${name}: ${why}` });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [plans, namespace, name]);

  const event = useMemo(() => {
    if (choice?.from !== 'plan') return choice;
    if (choice.name !== '' && plan.state === 'reading') return undefined;
    // Without a plan there is no message, but the template is checked.
    return { ...choice, object: choice.name !== '' && plan.state === 'read' ? plan.object : undefined };
  }, [choice, plan]);
  const why = name === '' ? 'choose a plan' : plan.state === 'failed' ? plan.why : undefined;
  return { event, problem: isPlan ? why : undefined };
}

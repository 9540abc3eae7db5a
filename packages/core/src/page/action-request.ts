/** What the page may do for its user: what a command does. */
export type ActionRequest =
  | { readonly action: 'replay'; readonly namespace: string; readonly plan: string }
  | {
      readonly action: 'send';
      readonly namespace: string;
      readonly notification: string;
      readonly sink: string;
    };

/** The arguments of the command that does it. The page shows them before. */
export function argumentsOf(request: ActionRequest): readonly string[] {
  const { namespace } = request;
  return request.action === 'replay'
    ? ['replay', request.plan, '-n', namespace]
    : ['send', request.notification, '--sink', request.sink, '--event', 'Start', '-n', namespace];
}

/** What the command has printed. */
export interface ActionAnswer {
  readonly isDone: boolean;
  readonly lines: readonly string[];
}

/** For each action why the user may not do it; `''`: they may. */
export type ActionRights = Readonly<Record<ActionRequest['action'], string>>;

import { command } from '../../../../../hnotif/e2e/support/command.ts';
import type { Case, Seen } from '../case.ts';

export const clients: Case = {
  name: 'clients',
  about:
    "What today's clients read besides objects: schemas, checks, tokens, and who they are; and what `hnotif doctor --cluster` reads.",
  run: async ({ ground: { plane, system }, kube, namespace }) => {
    const seen: Seen[] = [];
    const note = (what: string, value: unknown): void => void seen.push([what, String(value)]);
    // The text about a field of a built-in kind is different on each server. That of our own fields comes from the CRD.
    const explained = (await plane.kubectl('explain', 'configmap.data')).split('\n');
    note('explain configmap.data', explained.filter((line) => /^(KIND|FIELD)/.test(line)).join(' '));
    note('explain our own', await plane.kubectl('explain', 'hibernatenotifications.spec.sinks'));
    const index = (await kube.get('/openapi/v3')) as unknown as { readonly paths: Record<string, object> };
    note(
      'has schemas',
      ['api/v1', 'apis/hibernation.dev/v1alpha1'].every((place) => place in index.paths),
    );
    for (const path of ['/readyz?verbose', '/livez?verbose', '/readyz/ping']) {
      const lines = (await plane.kubectl('get', '--raw', path)).trimEnd().split('\n');
      note(path, `${lines[0] ?? ''} … ${lines.at(-1) ?? ''}`);
    }
    await plane.kubectl('create', 'serviceaccount', 'robot', '-n', namespace);
    const token = await plane.kubectl('create', 'token', 'robot', '-n', namespace, '--duration=20m');
    const { status } = await kube.post('/apis/authentication.k8s.io/v1/tokenreviews', {
      ...{ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: token.trim() } },
    });
    const { user } = status as { readonly user: { readonly username: string } };
    note('the user of a new token', user.username.replace(namespace, 'NAMESPACE'));
    const whoami = JSON.parse(await plane.kubectl('auth', 'whoami', '-o', 'json')) as WhoAmI;
    note('who am I', `${whoami.kind}: ${Object.keys(whoami.status.userInfo).includes('groups')}`);
    const { out } = await command(['doctor', '--cluster', '-n', system, ...plane.flags]);
    for (const line of out)
      if (/ (crds|plans|rights): /.test(line)) note('doctor', line.replace(system, 'SYSTEM'));
    return seen;
  },
};

interface WhoAmI {
  readonly kind: string;
  readonly status: { readonly userInfo: object };
}

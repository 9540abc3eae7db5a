import type { UserCredentials } from './users.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A kubeconfig with one context, `devcluster`. `ca` is PEM. */
export function kubeconfig(url: string, ca?: string, user?: UserCredentials): string {
  const trust = ca === undefined ? '' : `\n      certificate-authority-data: ${base64(ca)}`;
  return `apiVersion: v1
kind: Config
clusters:
  - name: devcluster
    cluster:
      server: ${url}${trust}
users:
  - name: devcluster
    user: ${userFields(user)}
contexts:
  - name: devcluster
    context:
      cluster: devcluster
      user: devcluster
      namespace: default
current-context: devcluster
`;
}

function userFields(user: UserCredentials | undefined): string {
  if (user === undefined) return '{}';
  if ('token' in user) return `{ token: ${JSON.stringify(user.token)} }`;
  return `{ client-certificate-data: ${base64(user.cert)}, client-key-data: ${base64(user.key)} }`;
}

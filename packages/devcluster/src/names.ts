import { dnsSubdomainProblems } from './schema/dns.ts';

/** The name rules of k8s.io/apimachinery/pkg/util/validation. Each function returns why a text is invalid. */

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const VALUE = `(${QUALIFIED})?`;

const tooLong = (max: number): string => `must be no more than ${max} bytes`;

const matches = (text: string, pattern: string): boolean => new RegExp(`^(?:${pattern})$`).test(text);

/** RFC 1123 label: the name of a namespace. */
export function checkLabel(name: string): string[] {
  const problems = name.length > 63 ? [tooLong(63)] : [];
  if (!matches(name, LABEL))
    problems.push(
      `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`,
    );
  return problems;
}

/** The keys of labels and annotations: `name` or `dns.prefix/name`. */
export function checkQualifiedName(key: string): string[] {
  const parts = key.split('/');
  const problems: string[] = [];
  const name = parts.at(-1) ?? '';
  if (parts.length > 2)
    return [
      `a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  if (parts.length === 2) {
    if (parts[0] === '') problems.push('prefix part must be non-empty');
    else problems.push(...dnsSubdomainProblems(parts[0] ?? '').map((problem) => `prefix part ${problem}`));
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push(`name part ${tooLong(63)}`);
  if (!matches(name, QUALIFIED))
    problems.push(
      `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}')`,
    );
  return problems;
}

export function checkLabelValue(value: string): string[] {
  const problems = value.length > 63 ? [tooLong(63)] : [];
  if (!matches(value, VALUE))
    problems.push(
      `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${VALUE}')`,
    );
  return problems;
}

/** A key of a secret or config map. */
export function checkDataKey(key: string): string[] {
  const problems = key.length > 253 ? [tooLong(253)] : [];
  if (!/^[-._a-zA-Z0-9]+$/.test(key))
    problems.push(
      `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
    );
  else if (key === '.' || key === '..') problems.push(`must not be '${key}'`);
  else if (key.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}

/** A name that must only be a valid part of a path, such as that of a role or a binding. */
export function checkPathSegment(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`);
}

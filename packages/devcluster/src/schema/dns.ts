/** Why a text is not a DNS label by RFC 1035, in the words of k8s.io/apimachinery. */
export function dnsLabelProblems(text: string): string[] {
  const problems = text.length > 63 ? ['must be no more than 63 bytes'] : [];
  if (/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(text)) return problems;
  return [
    ...problems,
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
      "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
      "'[a-z]([-a-z0-9]*[a-z0-9])?')",
  ];
}

/** The same for a DNS subdomain by RFC 1123. */
export function dnsSubdomainProblems(text: string): string[] {
  const problems = text.length > 253 ? ['must be no more than 253 bytes'] : [];
  if (/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text)) return problems;
  return [
    ...problems,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start " +
      "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ];
}

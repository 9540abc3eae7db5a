/**
 * For oxlint, whose types are checked by a program in Go that ends in seconds: it collects no garbage below this memory. That saves a
 * quarter of its CPU; with collections it takes 2 GB, too.
 */
export const GO_MEMORY: Readonly<Record<string, string>> = { GOGC: 'off', GOMEMLIMIT: '2GiB' };

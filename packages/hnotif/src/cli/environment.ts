/** What Kubernetes puts into each pod's environment for a service whose name begins with `hnotif`. */
const SERVICE_LINK = /_(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/;

/** The names in the environment that look like twins of flags and are none: mistyped, or of another version. */
export const strayTwins = (
  env: Readonly<Record<string, string | undefined>>,
  twins: readonly string[],
): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith('HNOTIF_') && !twins.includes(name) && !SERVICE_LINK.test(name))
    .sort();

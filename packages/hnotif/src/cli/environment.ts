/** Variables that Kubernetes sets in every pod for a service whose name begins with `hnotif`. */
const SERVICE_LINK = /_(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/;

/** Variables of hnotif that belong to no flag of `hnotif run`. */
const OTHERS = ['HNOTIF_DEBUG', 'HNOTIF_TIME_ZONE'];

/** Variables that look like those of flags but are not: mistyped, or of another version. */
export const strayVariables = (
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] =>
  Object.keys(env)
    .filter(
      (name) =>
        name.startsWith('HNOTIF_') && ![...known, ...OTHERS].includes(name) && !SERVICE_LINK.test(name),
    )
    .sort();

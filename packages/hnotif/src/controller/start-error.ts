/** Why a controller cannot start, in one line: a port that is taken, a kubeconfig that does not parse. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** An option that cannot be used as it is: the command line's fault, not the world's. */
export class OptionError extends StartError {}

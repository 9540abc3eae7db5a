/** Why a controller cannot start, in one line: for example a port is taken, or the kubeconfig cannot be parsed. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** An option has a value that cannot be used. */
export class OptionError extends StartError {}

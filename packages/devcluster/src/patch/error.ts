/** The patch is malformed, or does not match its object. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

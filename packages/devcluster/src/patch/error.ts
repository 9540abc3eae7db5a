/** A patch that is not well formed, or does not fit the object it is for. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

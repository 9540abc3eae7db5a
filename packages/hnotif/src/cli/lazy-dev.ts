/** The bundle of `hnotif dev`; undefined in the image, which does not have it. */
export const devParts = () =>
  import('./dev/dev.ts').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return undefined;
  });

/** The Node options of the image, for processes that are measured or killed. `image.test.ts` compares them with the Dockerfile. */
export const IMAGE = {
  flags: ['--initial-old-space-size=96', '--max-semi-space-size=8', '--heap-growing-percent=40'],
  env: { UV_THREADPOOL_SIZE: '64' },
} as const;

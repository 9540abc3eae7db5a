/** What the image gives Node: a process that is measured, or killed, has it as well. `image.test.ts` compares it with the Dockerfile. */
export const IMAGE = {
  flags: ['--initial-old-space-size=96', '--max-semi-space-size=8', '--heap-growing-percent=40'],
  env: { UV_THREADPOOL_SIZE: '64' },
} as const;

/** What the image gives Node: a process that is measured, or killed, has it as well. `image.test.ts` compares it with the Dockerfile. */
export const IMAGE = {
  flags: ['--max-semi-space-size=4', '--heap-growing-percent=100'],
  env: { UV_THREADPOOL_SIZE: '64' },
} as const;

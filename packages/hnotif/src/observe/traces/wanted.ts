/** Whether the environment asks for traces. Only then their code is loaded, which reports invalid settings. */
export const wantsTraces = (env: Readonly<Record<string, string | undefined>>): boolean =>
  [env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, env.OTEL_TRACES_EXPORTER].some(
    (value = '') => value !== '',
  ) &&
  env.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  env.OTEL_TRACES_EXPORTER !== 'none';

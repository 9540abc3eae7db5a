import type { Plugin } from 'esbuild';

/**
 * What of undici the service uses. Its own index loads fetch, WebSocket, caches and mocks as well. A name that is missing
 * here fails the build.
 */
const UNDICI = `
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import api from 'undici/lib/api/index.js';
Object.assign(Dispatcher.prototype, api);
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as Client } from 'undici/lib/dispatcher/client.js';
export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js';
export { default as buildConnector } from 'undici/lib/core/connect.js';
export { default as errors } from 'undici/lib/core/errors.js';
`;

/** zod imports its messages in English by themselves; this list is those in fifty other languages, too. */
const LOCALES = 'export {};';

/**
 * What packages require at their start, and hnotif never uses: HTTP/2, SOCKS and forms of undici; spans, pushes and clusters of prom-client;
 * commander's processes; pino's threads.
 */
const UNUSED =
  /^(\.\/client-h2\.js|\.\/socks5-proxy-agent|\.\.\/web\/fetch\/body\.js|@opentelemetry\/api|\.\/lib\/(pushgateway|cluster)|node:child_process|thread-stream)$/;

/** Leaves out of the bundle what nobody calls: a process keeps the text of every module that it loads. */
export const slim: Plugin = {
  name: 'slim',
  setup(build) {
    const replace = (filter: RegExp, path: string, contents: string, of = /./): void => {
      build.onResolve({ filter }, ({ importer }) =>
        of.test(importer) ? { path, namespace: 'slim' } : undefined,
      );
      build.onLoad({ filter: new RegExp(`^${path}$`), namespace: 'slim' }, () => ({
        contents,
        resolveDir: process.cwd(),
      }));
    };
    replace(/^undici$/, 'undici', UNDICI);
    replace(/^\.\.\/locales\/index\.js$/, 'locales', LOCALES);
    replace(UNUSED, 'unused', '', /node_modules/);
  },
};

/**
 * Makes `import` of Node's own modules a `require()` that reads only the wanted exports. An import reads every export, and some exports
 * load other modules when they are read: Node 24 loads all of its fetch for `WebSocket` of node:http, some 15 MB.
 */
export const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : { path, external: true },
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path }) => {
      const names = Object.keys((await import(path)) as object).filter((name) =>
        /^(?!default$)\w+$/.test(name),
      );
      const exports = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => own.${name})();`);
      return { contents: [`const own = require('${path}');`, 'export default own;', ...exports].join('\n') };
    });
  },
};

/**
 * The same code in ASCII: a single character beyond Latin-1 makes V8 keep all of a file in two bytes a character. Those in
 * strings have been escaped by esbuild; it leaves them in comments and regular expressions.
 */
export function inAscii(code: string): string {
  return code.replace(/(\\*)([^\0-\x7f])/g, (_, backslashes: string, character: string) => {
    // One that is escaped for no need has its backslash already.
    const escape = backslashes.length % 2 === 0 ? '\\u' : 'u';
    return `${backslashes}${escape}${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

import { createServer } from 'node:net';

/** The first free port of `host` from `wanted` on; 0 stays 0. Rejects when 50 in a row are taken. */
export async function freePort(host: string, wanted: number): Promise<number> {
  if (wanted === 0) return 0;
  for (let port = wanted; port < Math.min(wanted + 50, 65_536); port++)
    if (await isFree(host, port)) return port;
  throw new Error(`no port from ${wanted} to ${wanted + 49} is free`);
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    probe.listen({ host, port, exclusive: true }, () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attack, Means } from '../beside.ts';
import { inParallel } from '../../../wait.ts';
import type { Skipped } from '../row.ts';
import { MOST_SINKS } from './sinks.ts';

/** The address of a name server on this machine that never answers. */
const NAME_SERVER = '127.0.0.77';
const PLANS = 8;

/**
 * The controller gets its own mount namespace, with its own /etc/resolv.conf. The mount namespace and the name server's port
 * need root.
 */
async function silentNames(): Promise<Means | Skipped> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return { skipped: 'a name server that never answers needs Linux and root' };
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-names-'));
  const file = join(folder, 'resolv.conf');
  await writeFile(file, `nameserver ${NAME_SERVER}\n`, { mode: 0o644 });
  const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
  const before = ['unshare', '--mount', 'sh', '-c', script, file];
  const clean = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const [program = '', ...args] = [...before, 'true'];
  if (spawnSync(program, args).status !== 0) {
    await clean();
    return { skipped: 'this machine permits no mount namespace (unshare --mount, then mount --bind)' };
  }
  const server = createSocket('udp4');
  try {
    server.bind(53, NAME_SERVER);
    await once(server, 'listening');
  } catch {
    await clean();
    return { skipped: `cannot listen on port 53 of ${NAME_SERVER}` };
  }
  return {
    before,
    undo: () => {
      server.close();
      void clean();
    },
  };
}

/** Row 3: names without an answer occupy all threads for look-ups. */
export const NAMES: Attack = {
  row: '3',
  title: '32 sinks with host names whose DNS never answers',
  // The victim's receiver has a name, too, but it needs no DNS.
  victim: { host: 'localhost' },
  means: silentNames,
  async prepare({ attacker }) {
    const names = Array.from({ length: MOST_SINKS }, (_, index) => `s${index}`);
    await Promise.all(
      names.map((name) => attacker.secret(name, { url: `https://${name}.never-answered.invalid/hook` })),
    );
    await attacker.notification('n', { sinks: names });
    await inParallel(PLANS, (index) => attacker.plan(`p${index}`));
  },
  async attack({ attacker }) {
    await inParallel(PLANS, (index) => attacker.begins(`p${index}`));
  },
};

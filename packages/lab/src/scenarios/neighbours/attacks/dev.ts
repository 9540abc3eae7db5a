import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Process } from '../../../process.ts';
import type { Figures, Row } from '../row.ts';

/** Ports that few programs use. If a port is in use, `hnotif dev` takes the next one. */
const PORTS = [
  ...['--port=28001', '--receiver-port=28099', '--teamchat-port=28098', '--botchat-port=28097'],
  ...['--msteams-port=28096', '--metrics-port=28080', '--health-port=28081'],
];

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as from a page in a browser. `fetch` cannot set its headers. */
async function send(
  url: string,
  { method, path, headers, body }: Sent,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(url);
  const sent = request({ host: hostname, port, method, path, headers, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, text: await text(answer) };
}

const isRefused = (status: number): boolean => status >= 400 && status < 500;

/** Row 13: a page in a browser against the control plane of `hnotif dev`. */
export const DEV: Row = {
  row: '13',
  title:
    'a page in a browser against `hnotif dev`: Host evil.example; a POST with an Origin and no content type',
  async run(): Promise<Figures> {
    const dev = new Process(['dev', ...PORTS]);
    try {
      const line = await dev.line(/control plane\s.*http:/);
      return await attack(/http:\/\/[\d.]+:\d+/.exec(line)?.[0] ?? '');
    } finally {
      await dev.end('SIGKILL');
    }
  },
};

async function attack(url: string): Promise<Figures> {
  const secrets = await send(url, {
    ...{ method: 'GET', path: '/api/v1/secrets' },
    headers: { host: 'evil.example' },
  });
  const name = 'made-by-a-page';
  const created = await send(url, {
    ...{ method: 'POST', path: '/api/v1/namespaces/default/configmaps' },
    headers: { host: new URL(url).host, origin: 'http://evil.example' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }),
  });
  const notes = [
    `GET of all secrets with Host evil.example: ${secrets.status}`,
    `POST with Origin and without content type: ${created.status}`,
  ];
  const leaked = isRefused(secrets.status) ? 0 : Buffer.byteLength(secrets.text);
  const made = isRefused(created.status) ? 0 : Buffer.byteLength(name);
  return { leaked: leaked + made, notes };
}

// A receiver of hnotif's webhooks that checks signatures (https://www.standardwebhooks.com). It needs Node only.
//   SIGNING_SECRET=whsec_… PORT=8080 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { SIGNING_SECRET = '', PORT = '8080' } = process.env;
const KEY = Buffer.from(SIGNING_SECRET.replace(/^whsec_/, ''), 'base64');
if (!SIGNING_SECRET.startsWith('whsec_') || KEY.length < 24) {
  console.error('SIGNING_SECRET must be the signing_secret of the sink, as whsec_…');
  process.exit(2);
}

const LARGEST_BODY = 8 * 1024 * 1024;
/** The largest difference of the clocks, in seconds. An older message may be a recorded one. */
const TOLERANCE = 300;

/** Whether the body was signed with the key a short time ago. The body must be the received bytes. */
function isGenuine(headers, body) {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (id === '' || !/^\d+$/.test(timestamp) || age > TOLERANCE) return false;
  const expected = createHmac('sha256', KEY).update(`${id}.${timestamp}.`).update(body).digest();
  // While the secret is changed there are several signatures.
  return (headers['webhook-signature'] ?? '').split(' ').some((one) => {
    const given = one.startsWith('v1,') ? Buffer.from(one.slice(3), 'base64') : Buffer.alloc(0);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** The last ids. A message can come twice, with the same id. */
const seen = new Set();

function isNew(id) {
  if (seen.has(id)) return false;
  seen.add(id);
  if (seen.size > 10_000) seen.delete(seen.values().next().value);
  return true;
}

const server = createServer(async (request, response) => {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > LARGEST_BODY) return response.writeHead(413, { connection: 'close' }).end();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  if (isNew(request.headers['webhook-id'])) {
    const { event, plan } = JSON.parse(body.toString()).context;
    console.log(`${event} ${plan.namespace}/${plan.name}`);
  }
  response.writeHead(204).end();
});

server.listen(Number(PORT), () => console.log(`listening on port ${server.address().port}`));

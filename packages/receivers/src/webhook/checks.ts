import { parseJson } from '../body.ts';
import type { Handler, PlainAnswer } from '../decision.ts';
import type { WebhookFindings } from './record.ts';
import { compileSchema } from './schema.ts';
import { checkSignature, parseSecrets } from './signature.ts';

/** The rules for messages. */
export interface CheckSettings {
  readonly path: string | undefined;
  readonly schema: object | undefined;
  readonly signingSecrets: readonly string[] | undefined;
}

/** The endpoint's decision about messages, created once from its settings. Throws for an invalid schema or secret. */
export function makeChecks({ path, schema, signingSecrets }: CheckSettings): Handler<WebhookFindings> {
  const keys = parseSecrets(signingSecrets ?? []);
  const check = schema && compileSchema(schema);
  const misfits = (json: unknown, jsonError: string | undefined): string[] => {
    if (check === undefined) return [];
    return jsonError === undefined ? check(json) : [`the body is not JSON: ${jsonError}`];
  };

  return ({ method, path: at, headers, body, arrivedAt }) => {
    const { json, jsonError } = parseJson(body.bytes);
    // A message that was cut off cannot be checked. It must not count as badly signed or malformed.
    const whole = body.complete;
    const { status, reason } = checkSignature(headers, body.bytes, whole ? keys : [], arrivedAt);
    const schemaErrors = whole ? misfits(json, jsonError) : [];
    const plain = answer();
    return {
      findings: { json, jsonError, signature: status, signatureReason: reason, schemaErrors },
      takes: plain.status === 200,
      settle: () => ({ answer: plain }),
    };

    function answer(): PlainAnswer {
      if (path !== undefined && at.split('?', 1)[0] !== path) return refuse(404, 'no such path');
      if (method !== 'POST') return refuse(405, 'messages are POSTed', { allow: 'POST' });
      if (keys.length > 0 && status !== 'valid') return refuse(401, reason || 'webhook-signature is missing');
      if (schemaErrors.length > 0) return refuse(422, schemaErrors);
      return { status: 200, headers: {}, body: '{"accepted":true}' };
    }
  };
}

function refuse(status: number, error: unknown, headers: Record<string, string> = {}): PlainAnswer {
  return { status, headers, body: JSON.stringify({ error }) };
}

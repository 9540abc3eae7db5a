import type { IncomingHttpHeaders } from 'node:http';
import { parseJson, type Body } from './body.ts';
import type { PlainAnswer } from './exchange.ts';
import type { WebhookRecord } from './record.ts';
import { compileSchema } from './schema.ts';
import { checkSignature, parseSecrets } from './signature.ts';

/** What a receiver holds messages against. */
export interface CheckSettings {
  readonly path: string | undefined;
  readonly schema: object | undefined;
  readonly signingSecrets: readonly string[] | undefined;
}

/** A request as far as the checks care. */
export interface Message {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  /** Wall clock, milliseconds since the epoch. */
  readonly arrivedAt: number;
}

/** What the checks found, and the answer that follows from it. */
export interface Findings {
  readonly record: Pick<
    WebhookRecord,
    'json' | 'jsonError' | 'signature' | 'signatureReason' | 'schemaErrors'
  >;
  readonly plain: PlainAnswer;
}

/** The receiver's own judgement of messages, made once from its settings. Throws on a bad schema or secret. */
export function makeChecks({ path, schema, signingSecrets }: CheckSettings): (message: Message) => Findings {
  const keys = parseSecrets(signingSecrets ?? []);
  const check = schema && compileSchema(schema);
  const misfits = (json: unknown, jsonError: string | undefined): string[] => {
    if (check === undefined) return [];
    return jsonError === undefined ? check(json) : [`the body is not JSON: ${jsonError}`];
  };

  return ({ method, path: at, headers, body, arrivedAt }) => {
    const { json, jsonError } = parseJson(body.bytes);
    // Of a message that was cut off nothing can be said; it must not be counted as ill signed or ill formed.
    const whole = body.complete;
    const { status, reason } = checkSignature(headers, body.bytes, whole ? keys : [], arrivedAt);
    const schemaErrors = whole ? misfits(json, jsonError) : [];
    return {
      record: { json, jsonError, signature: status, signatureReason: reason, schemaErrors },
      plain: answer(),
    };

    function answer(): PlainAnswer {
      if (path !== undefined && at.split('?', 1)[0] !== path) return refuse(404, 'no such path');
      if (method !== 'POST') return refuse(405, 'messages are POSTed', { allow: 'POST' });
      if (keys.length > 0 && status !== 'valid') return refuse(401, reason || 'webhook-signature is missing');
      if (schemaErrors.length > 0) return refuse(422, schemaErrors);
      return { status: 200, accepted: true, headers: {}, body: '{"accepted":true}' };
    }
  };
}

function refuse(status: number, error: unknown, headers: Record<string, string> = {}): PlainAnswer {
  return { status, accepted: false, headers, body: JSON.stringify({ error }) };
}

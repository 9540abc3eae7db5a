import { Optional } from '@marcbachmann/cel-js';
import type { Json, JsonObject } from '../../json.ts';
import { isObject } from '../../json.ts';
import type { Cause } from '../cause.ts';
import { duplicate, forbidden, invalid, required, shown } from '../cause.ts';
import type { SchemaNode } from '../node.ts';
import { canonicalJson, getOwn } from '../json-values.ts';
import { child, fieldOf, index, key } from '../path.ts';
import { ruleEnvironment } from './environment.ts';
import { parseFieldPath } from './field-path.ts';
import type { CompiledRule } from './rule.ts';
import { compileRule, evaluate } from './rule.ts';
import { celType } from './types.ts';

/** Checks the rules of a value and of its parts. `old` is undefined without a comparable old value. */
export type RuleCheck = (value: Json, old: Json | undefined, path: string, causes: Cause[]) => void;

/** Undefined if neither the schema nor a part of it has a rule. */
export function compileRuleCheck(schema: SchemaNode, isResource: boolean): RuleCheck | undefined {
  const own = ownRules(schema, isResource);
  const inList = schema.items && compileRuleCheck(schema.items, schema.items.embeddedResource);
  const others = schema.additionalProperties;
  const inMap = typeof others === 'object' ? compileRuleCheck(others, others.embeddedResource) : undefined;
  const inFields = new Map<string, RuleCheck>();
  for (const [name, property] of schema.properties) {
    const check = compileRuleCheck(property, property.embeddedResource);
    if (check !== undefined) inFields.set(name, check);
  }
  if (!own && !inList && !inMap && inFields.size === 0) return undefined;
  return (value, old, path, causes) => {
    if (value === null) return;
    own?.(value, old ?? undefined, path, causes);
    if (Array.isArray(value)) {
      if (inList === undefined) return;
      const before = correlate(schema, Array.isArray(old) ? old : []);
      value.forEach((item, position) => inList(item, before(item), index(path, position), causes));
    } else if (isObject(value)) {
      const before = isObject(old) && schema.mapType !== 'atomic' ? old : {};
      for (const name of Object.keys(value)) {
        const was = getOwn(before, name);
        inFields.get(name)?.(value[name] ?? null, was, child(path, name), causes);
        if (!schema.properties.has(name)) inMap?.(value[name] ?? null, was, key(path, name), causes);
      }
    }
  };
}

/** Finds the old value of a list's item. Only items of maps can be identified. */
function correlate(schema: SchemaNode, old: readonly Json[]): (item: Json) => Json | undefined {
  if (schema.listType !== 'map') return () => undefined;
  const keyOf = (item: JsonObject): string =>
    canonicalJson(schema.listMapKeys.map((name) => getOwn(item, name) ?? null));
  const known = new Map(old.filter(isObject).map((item) => [keyOf(item), item]));
  return (item) => (isObject(item) ? known.get(keyOf(item)) : undefined);
}

function ownRules(schema: SchemaNode, isResource: boolean): RuleCheck | undefined {
  const type = schema.rules.length === 0 ? undefined : celType(schema, isResource);
  if (type === undefined) return undefined;
  const environment = ruleEnvironment(type);
  const rules = schema.rules.map((rule) => compileRule(rule, type, environment));
  return (value, old, path, causes) => {
    const self = environment.convert(value);
    const oldSelf = old === undefined ? undefined : environment.convert(old);
    for (const rule of rules) {
      const cause = checkRule(rule, schema, value, self, oldSelf, path);
      if (cause !== undefined) causes.push(cause);
    }
  };
}

function checkRule(
  compiled: CompiledRule,
  schema: SchemaNode,
  value: Json,
  self: unknown,
  old: unknown,
  path: string,
): Cause | undefined {
  const { rule, expression } = compiled;
  if (expression === undefined) {
    return invalid(fieldOf(path), schema.type, `rule compile error: ${compiled.problem ?? ''}`);
  }
  const optional = rule.optionalOldSelf === true;
  if (expression.usesOldSelf && old === undefined && !optional) return undefined;
  const oldSelf = optional ? (old === undefined ? Optional.none() : Optional.of(old)) : old;
  const outcome = evaluate(expression, self, oldSelf);
  if ('error' in outcome) return evaluationCause(compiled, schema, outcome.error, path);
  if (outcome.value === true) return undefined;
  const relative = rule.fieldPath === '' ? undefined : parseFieldPath(rule.fieldPath.trim(), schema);
  const field = fieldOf(relative === undefined ? path : child(path, relative));
  return failure(rule.reason, field, shown(value), messageOf(compiled, self, oldSelf));
}

function evaluationCause(compiled: CompiledRule, schema: SchemaNode, error: string, path: string): Cause {
  const message = compiled.rule.message.trim();
  const shown = message === '' ? compiled.rule.rule.trim() : message;
  const detail = error.startsWith('no such overload')
    ? `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`
    : `${error} evaluating rule: ${shown}`;
  return invalid(fieldOf(path), schema.type, detail);
}

function messageOf({ rule, message }: CompiledRule, self: unknown, oldSelf: unknown): string {
  if (message !== undefined) {
    const outcome = evaluate(message, self, oldSelf);
    const text = 'value' in outcome && typeof outcome.value === 'string' ? outcome.value.trim() : '';
    if (text !== '' && !/[\r\n]/.test(text)) return text;
  }
  const fixed = rule.message.trim();
  return fixed === '' ? `failed rule: ${rule.rule.trim()}` : fixed;
}

function failure(reason: string | undefined, field: string, value: Json | undefined, detail: string): Cause {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return duplicate(field, value);
    default:
      return invalid(field, value, detail);
  }
}

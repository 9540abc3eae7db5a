import type { Json } from '../json.ts';
import type { Cause } from './cause.ts';
import { forbidden, invalid } from './cause.ts';
import { costMessage, plus, ruleCostLimit, schemaCostLimit, times } from './cel/cost.ts';
import { ruleEnvironment } from './cel/environment.ts';
import type { CompiledRule } from './cel/rule.ts';
import { compileRule } from './cel/rule.ts';
import { celType, maxRequestBytes } from './cel/types.ts';
import type { SchemaNode, ValidationRule } from './node.ts';
import { child, index, key } from './path.ts';

/** Compiles all rules of a schema and adds up their maximum costs. The schema must be valid otherwise. */
export function ruleCauses(root: SchemaNode, path: string): Cause[] {
  const check = new RuleSchemaCheck();
  check.walk(root, path, { cardinality: 1, uncorrelatable: undefined, isRoot: true });
  return check.causes(path);
}

interface Place {
  /** How often the schema can occur in one object; undefined if an outer list or map has no limit. */
  cardinality: number | undefined;
  /** The outer schema within which old and new values cannot be matched. */
  uncorrelatable: string | undefined;
  isRoot: boolean;
}

class RuleSchemaCheck {
  readonly #causes: Cause[] = [];
  readonly #expensive: { path: string; cost: number }[] = [];
  #total = 0;

  walk(node: SchemaNode, path: string, place: Place): void {
    const count = maxElements(node);
    const cardinality =
      place.cardinality === undefined || count === undefined ? undefined : times(place.cardinality, count);
    const inside = { ...place, cardinality, isRoot: false };
    const loses = (lost: boolean): Place =>
      lost && place.uncorrelatable === undefined ? { ...inside, uncorrelatable: path } : inside;
    if (typeof node.additionalProperties === 'object') {
      this.walk(node.additionalProperties, child(path, 'additionalProperties'), inside);
    }
    for (const [name, property] of node.properties) {
      this.walk(property, key(child(path, 'properties'), name), loses(node.mapType === 'atomic'));
    }
    if (node.items !== undefined) this.walk(node.items, child(path, 'items'), loses(node.listType !== 'map'));
    if (node.rules.length > 0) this.#rulesOf(node, path, place);
  }

  /** All errors, including that of the sum. */
  causes(path: string): Cause[] {
    if (this.#total <= schemaCostLimit) return this.#causes;
    const words = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const top = this.#expensive.sort((a, b) => b.cost - a.cost).slice(0, 4);
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#causes,
      ...top.map((expensive) => forbidden(expensive.path, words)),
      forbidden(path, costMessage(name, this.#total, schemaCostLimit)),
    ];
  }

  #rulesOf(node: SchemaNode, path: string, place: Place): void {
    const type = celType(node, place.isRoot || node.embeddedResource);
    const at = child(path, 'x-kubernetes-validations');
    if (type === undefined) {
      const detail = 'rules are not supported on a schema without a type';
      this.#causes.push(forbidden(at, detail));
      return;
    }
    const environment = ruleEnvironment(type);
    const often = place.cardinality ?? Math.floor(maxRequestBytes / (type.minSize + 1));
    node.rules.forEach((rule, position) => {
      this.#rule(compileRule(rule, type, environment), index(at, position), often, place);
    });
  }

  #rule(
    { rule, expression, problem, message, messageProblem }: CompiledRule,
    path: string,
    often: number,
    place: Place,
  ): void {
    if (problem !== undefined) this.#causes.push(invalid(child(path, 'rule'), shown(rule), problem));
    if (expression !== undefined) {
      this.#charge(child(path, 'rule'), 'estimated rule cost', times(expression.cost, often));
    }
    if (messageProblem !== undefined) {
      this.#causes.push(invalid(child(path, 'messageExpression'), shown(rule), messageProblem));
    }
    if (message !== undefined) {
      this.#charge(child(path, 'messageExpression'), 'estimated messageExpression cost', message.cost);
    }
    if (expression?.usesOldSelf === true) {
      if (place.uncorrelatable === undefined) return;
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelatable}`;
      this.#causes.push(invalid(child(path, 'rule'), rule.rule, detail));
    } else if (expression !== undefined && rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      this.#causes.push(invalid(child(path, 'optionalOldSelf'), rule.optionalOldSelf, detail));
    }
  }

  #charge(path: string, name: string, cost: number): void {
    if (cost > ruleCostLimit) this.#causes.push(forbidden(path, costMessage(name, cost, ruleCostLimit)));
    this.#total = plus(this.#total, cost);
    if (cost >= schemaCostLimit / 100) this.#expensive.push({ path, cost });
  }
}

/** How often the values of an inner schema can occur in a schema. */
function maxElements(node: SchemaNode): number | undefined {
  if (node.type === 'array') return node.maxItems === undefined ? undefined : Math.max(node.maxItems, 0);
  if (node.type !== 'object' || node.additionalProperties === undefined) return 1;
  return node.maxProperties === undefined ? undefined : Math.max(node.maxProperties, 0);
}

/** A rule in the form of messages, with its present fields. */
function shown(rule: ValidationRule): Json {
  const all = Object.entries({ ...rule });
  return Object.fromEntries(
    all.filter((entry): entry is [string, string | boolean] => entry[1] !== undefined && entry[1] !== ''),
  );
}

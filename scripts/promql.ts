/** What an expression of PromQL uses, as far as tests need to know it. It is no parser: `promtool` checks the syntax. */
export interface Uses {
  /** The metrics, each with the matchers of its selector. */
  readonly selectors: readonly { readonly metric: string; readonly matchers: readonly Matcher[] }[];
  /** `sum by (labels) (expression)`: the labels and the metrics of each aggregation. */
  readonly aggregations: readonly {
    readonly labels: readonly string[];
    readonly metrics: readonly string[];
  }[];
  /** Words that are no metric, and the labels of `on (…)`. */
  readonly words: readonly string[];
  readonly on: readonly string[];
}

interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

const TOKEN =
  /\s+|"(?:[^"\\]|\\.)*"|\$__\w+|\d+(?:\.\d+)?[a-z]*|[A-Za-z_:][\w:]*|[=!]~|[=!<>]=|[-+*/%^<>=(){}[\],]/y;

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const at = TOKEN.lastIndex;
    const [token] = TOKEN.exec(expression) ?? [];
    if (token === undefined) throw new Error(`not PromQL at ${at}: ${expression.slice(at, at + 20)}`);
    if (token.trim() !== '') tokens.push(token);
  }
  return tokens;
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The position of the bracket that ends the group which begins at `from`. */
function endOf(tokens: readonly string[], from: number): number {
  const open: string[] = [];
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    const end = PAIRS[token];
    if (end !== undefined) open.push(end);
    else if (Object.values(PAIRS).includes(token) && open.pop() !== token) break;
    if (open.length === 0) return at;
  }
  throw new Error(`brackets are not closed: ${tokens.join(' ')}`);
}

const isWord = (token: string): boolean => /^[A-Za-z_:]/.test(token);

/** Reads an expression. Throws if its tokens or brackets are wrong. */
export function usesOf(expression: string): Uses {
  const tokens = ['(', ...tokensOf(expression), ')'];
  if (endOf(tokens, 0) !== tokens.length - 1) throw new Error(`brackets do not match: ${expression}`);
  const selectors: Uses['selectors'][number][] = [];
  const aggregations: Uses['aggregations'][number][] = [];
  const words: string[] = [];
  const on: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    if (token === 'by' || token === 'on') {
      const end = endOf(tokens, at + 1);
      const labels = tokens.slice(at + 2, end).filter(isWord);
      if (token === 'on') on.push(...labels);
      else {
        const argument = tokens.slice(end + 1, endOf(tokens, end + 1));
        aggregations.push({
          labels,
          metrics: usesOf(argument.slice(1).join(' ')).selectors.map(({ metric }) => metric),
        });
      }
      at = end;
    } else if (/^(hnotif|process|nodejs)_/.test(token)) {
      const matchers: Matcher[] = [];
      if (tokens[at + 1] === '{') {
        const end = endOf(tokens, at + 1);
        for (let label = at + 2; label < end; label += 4)
          matchers.push({
            label: tokens[label] ?? '',
            operator: tokens[label + 1] ?? '',
            value: JSON.parse(tokens[label + 2] ?? '') as string,
          });
        at = end;
      }
      selectors.push({ metric: token, matchers });
    } else if (isWord(token)) words.push(token);
  }
  return { selectors, aggregations, words, on };
}

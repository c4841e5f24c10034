import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

type Selector = { metric: string; labels: Record<string, string> };

export type Query = {
  /** Such as `curt_errors_total{code="internal"}`. */
  selectors: Selector[];
  /** Labels by which values are grouped. */
  groupedBy: string[];
};

const MATCHERS = 'UnquotedLabelMatcher';

/** @throws Error if the query is not valid PromQL */
export function parseQuery(query: string): Query {
  // Grafana replaces its variables first.
  const text = query.replaceAll('$__rate_interval', '5m');
  const tree = parser.parse(text);
  const textOf = ({ from, to }: { from: number; to: number }) => text.slice(from, to);
  const selectors: Selector[] = [];
  const groupedBy: string[] = [];
  tree.iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`${query} is not valid at character ${node.from}`);
      if (node.name === 'VectorSelector') selectors.push(readSelector(node.node, textOf));
      if (node.name === 'GroupingLabels') {
        groupedBy.push(...node.node.getChildren('LabelName').map(textOf));
      }
    },
  });
  return { selectors, groupedBy };
}

function readSelector(selector: SyntaxNode, textOf: (node: SyntaxNode) => string): Selector {
  const [metric] = selector.getChildren('Identifier');
  const matchers = selector.getChild('LabelMatchers')?.getChildren(MATCHERS) ?? [];
  const labels = matchers.map((matcher) => {
    const [name, value] = [matcher.getChild('LabelName'), matcher.getChild('StringLiteral')];
    return [name ? textOf(name) : '', value ? textOf(value).slice(1, -1) : ''];
  });
  return { metric: metric ? textOf(metric) : '', labels: Object.fromEntries(labels) };
}

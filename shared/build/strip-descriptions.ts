/** As parsers of JavaScript return it: ESTree with positions. */
type Node = {
  type: string;
  start: number;
  end: number;
  callee?: unknown;
  object?: unknown;
  property?: unknown;
  name?: unknown;
};

const ONLY_FOR_REFERENCE = ['describe', 'meta'];

/**
 * Returns a plugin of Vite that removes `.describe(…)` and `.meta(…)` from schemas: only the server makes the API
 * reference of them.
 */
export function stripDescriptions() {
  return {
    name: 'strip-descriptions',
    apply: 'build' as const,
    // Once it is JavaScript.
    enforce: 'post' as const,
    transform: {
      filter: { id: /\/shared\/[^?]*\.ts$/, code: /\.(describe|meta)\(/ },
      handler(this: { parse(code: string): unknown }, code: string) {
        let stripped = code;
        // From the end, so that positions stay right.
        for (const [start, end] of callsIn(this.parse(code)).sort(([a], [b]) => b - a)) {
          stripped = stripped.slice(0, start) + stripped.slice(end);
        }
        return { code: stripped, map: null };
      },
    },
  };
}

/** The positions of the calls, each from the end of what it is called on. */
function callsIn(node: unknown): [start: number, end: number][] {
  if (Array.isArray(node)) return node.flatMap(callsIn);
  if (!isNode(node)) return [];
  const nested = Object.values(node).flatMap(callsIn);
  const { callee } = node;
  if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') {
    return nested;
  }
  const { object, property } = callee;
  const isStripped =
    isNode(object) && isNode(property) && ONLY_FOR_REFERENCE.includes(String(property.name));
  if (!isStripped) return nested;
  return [...nested.filter(([start]) => start < object.end), [object.end, node.end]];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

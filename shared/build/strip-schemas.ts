/** As parsers of JavaScript return it: ESTree with positions. */
type Node = {
  type: string;
  start: number;
  end: number;
  body?: unknown;
  callee?: unknown;
  declaration?: unknown;
  declarations?: { id: unknown; init: unknown }[];
  id?: unknown;
  init?: unknown;
  name?: unknown;
  object?: unknown;
  property?: unknown;
};
type Edit = { start: number; end: number; text: string };

/** What may have calls outside functions, or be one. */
const MADE = ['CallExpression', 'ObjectExpression', 'ArrayExpression'];

const ONLY_FOR_REFERENCE = ['describe', 'meta'];
const LAZY_SCHEMA = `${import.meta.dirname}/lazy-schema.ts`;

/**
 * Returns a plugin of Vite that leaves out what only the server needs of schemas: `.describe(…)` and `.meta(…)`, of
 * which it makes the API reference, and the schemas of requests in the tables of endpoints. A schema that nothing
 * refers to any more is not bundled, and one of a module is made when it is first used.
 */
export function stripSchemas() {
  return {
    name: 'strip-schemas',
    apply: 'build' as const,
    // Once it is JavaScript.
    enforce: 'post' as const,
    transform: {
      // What has schemas imports zod, or one of them by its name, or what makes them.
      filter: {
        id: /\/(shared|extension)\/[^?]*\.ts$/,
        code: /"zod"|Schema\b|schemas\.ts"|endpoints\(/,
      },
      handler(this: { parse(code: string): unknown }, code: string, id: string) {
        const isTable = /\/api\/(admin-)?endpoints\.ts$/.test(id);
        let stripped = isTable ? code.replace(/\b(params|query|headers|body): \w+,?/g, '') : code;
        const module = this.parse(stripped) as Node;
        // From the end, so that positions stay right.
        const lazy = schemasIn(module);
        const edits = [...callsIn(module), ...unusedAllowedIn(module), ...lazy];
        for (const { start, end, text } of edits.sort((one, other) => other.start - one.start)) {
          stripped = stripped.slice(0, start) + text + stripped.slice(end);
        }
        const importLine = `import { lazySchema } from ${JSON.stringify(LAZY_SCHEMA)};`;
        return { code: lazy.length > 0 ? `${importLine}\n${stripped}` : stripped, map: null };
      },
    },
  };
}

/** Removes the calls, each from the end of what it is called on. */
function callsIn(node: unknown): Edit[] {
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
  const inside = nested.filter(({ start }) => start < object.end);
  return [...inside, { start: object.end, end: node.end, text: '' }];
}

/** Makes what has schemas when it is used: what the names of a module stand for, and other calls outside functions. */
function schemasIn(node: unknown): Edit[] {
  if (Array.isArray(node)) return node.flatMap(schemasIn);
  if (!isNode(node) || isFunction(node)) return [];
  const { type, id, init } = node;
  if (type === 'VariableDeclarator' && isNode(init) && hasSchemas(id, init)) return lazily(init);
  return isCall(node) && isOfSchema(node) ? lazily(node) : Object.values(node).flatMap(schemasIn);
}

function lazily({ start, end }: Node): Edit[] {
  return [
    { start, end: start, text: '/*#__PURE__*/lazySchema(()=>(' },
    { start: end, end, text: '))' },
  ];
}

/** Whether a name stands for a schema, or for an object of schemas. */
function hasSchemas(name: unknown, value: Node): boolean {
  if (isCall(value)) return isOfSchema(value) || (isNode(name) && isSchemaName(name));
  if (value.type === 'ObjectExpression') return hasCall(value);
  const { type, property } = value;
  const isShape = type === 'MemberExpression' && isNode(property) && property.name === 'shape';
  return isShape && isOfSchema(value);
}

/** Whether the bundler takes it for something that may have another effect. */
function mayCall(value: Node): boolean {
  return value.type === 'MemberExpression' || (MADE.includes(value.type) && hasCall(value));
}

function hasCall(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasCall);
  if (!isNode(node) || isFunction(node)) return false;
  return isCall(node) || Object.values(node).some(hasCall);
}

/** Whether an expression such as `z.array(…).max(3)` starts with `z`, or with the name of a schema. */
function isOfSchema(node: Node): boolean {
  if (node.type === 'Identifier') return node.name === 'z' || isSchemaName(node);
  const before = isCall(node) ? node.callee : node.object;
  return isNode(before) && isOfSchema(before);
}

const isSchemaName = ({ name }: Node) => /(Schema|Fields)$/.test(String(name));

const isFunction = ({ type }: Node) => type.includes('Function');

/** Tells the bundler that what a module makes at its top has no other effect. */
function unusedAllowedIn({ body }: Node): Edit[] {
  return (body as Node[]).flatMap((statement) => {
    const { declarations = [] } = isNode(statement.declaration) ? statement.declaration : statement;
    return declarations.flatMap(({ id, init }) =>
      isNode(init) && mayCall(init) && !hasSchemas(id, init)
        ? [
            { start: init.start, end: init.start, text: '/*#__PURE__*/(()=>(' },
            { start: init.end, end: init.end, text: '))()' },
          ]
        : [],
    );
  });
}

function isCall(value: unknown): value is Node & { type: 'CallExpression' } {
  return isNode(value) && value.type === 'CallExpression';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

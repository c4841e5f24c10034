import { join } from 'node:path';
import { build, parseAst, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { lazySchema } from '../../shared/build/lazy-schema.ts';
import { stripSchemas } from '../../shared/build/strip-schemas.ts';

function strip(code: string, id = '/shared/links/thing.ts'): string {
  const { handler } = stripSchemas().transform;
  const stripped = handler.call({ parse: parseAst }, code, id).code;
  return stripped.replace(/^import .* from ".*lazy-schema\.ts";\n/, '');
}

test('descriptions are removed from schemas of browsers, and unused schemas can be left out', () => {
  const code = `
    const count = (text) => z.number().int().describe(text).optional();
    export const thing = z.object({
      name: z.string().describe(\`Up to \${MAX} characters (with spaces).\`).nullable(),
      tags: z.array(z.string().describe('A tag.')).describe('The tags.'),
    }).meta({ id: 'Thing' });
    describe('all');
    const own = { describe: () => 1 };
  `;
  expect(strip(code)).toBe(`
    const count = (text) => z.number().int().optional();
    export const thing = /*#__PURE__*/lazySchema(()=>(z.object({
      name: z.string().nullable(),
      tags: z.array(z.string()),
    })));
    describe('all');
    const own = { describe: () => 1 };
  `);
});

test('schemas of requests are removed from the tables of endpoints', () => {
  const row = `{ a: { route: 'PATCH /a', params: aSchema, query: bSchema, headers: cSchema, body: dSchema, answer: eSchema } }`;
  const code = strip(`export const ENDPOINTS = ${row};`, '/shared/api/endpoints.ts');
  expect(code).toMatch(/ENDPOINTS = \{ a: \{ route: 'PATCH \/a', +answer: eSchema \} \};/);
});

test('schemas of a module are made when they are used, and what else it makes can be left out', () => {
  const code = `
    const oneSchema = envelope(z.string());
    const shape = { a: oneSchema.optional(), b: text(3) };
    const { b } = { b: 1 };
    const twoFields = mapFields((name) => shape[name]);
    const three = oneSchema.shape;
    const values = oneSchema.options;
    export const item = define('name', z.array(oneSchema));
    const make = () => z.string();
  `;
  expect(strip(code)).toBe(`
    const oneSchema = /*#__PURE__*/lazySchema(()=>(envelope(z.string())));
    const shape = /*#__PURE__*/lazySchema(()=>({ a: oneSchema.optional(), b: text(3) }));
    const { b } = { b: 1 };
    const twoFields = /*#__PURE__*/lazySchema(()=>(mapFields((name) => shape[name])));
    const three = /*#__PURE__*/lazySchema(()=>(oneSchema.shape));
    const values = /*#__PURE__*/(()=>(oneSchema.options))();
    export const item = /*#__PURE__*/(()=>(define('name', /*#__PURE__*/lazySchema(()=>(z.array(oneSchema))))))();
    const make = () => z.string();
  `);
});

test.each([
  'import { errorCodeSchema } from "../errors.ts";',
  'import { flag } from "../schemas.ts";',
  'import { z } from "zod";',
])('a module with %s is looked at', (line) => {
  const { id, code } = stripSchemas().transform.filter;
  expect('/curt/shared/links/thing.ts').toMatch(id);
  expect(line).toMatch(code);
  expect('import { formFields } from "./form.ts";').not.toMatch(code);
});

test('a schema that is made when it is used works like any other', () => {
  let made = 0;
  const lazy = lazySchema(() => {
    made += 1;
    return z.object({ a: z.string().optional() });
  });
  const fields = lazySchema(() => ({ one: lazy, two: lazy.optional() }));
  const both = lazySchema(() => z.object({ ...fields, three: z.array(lazy) }));
  expect(made).toBe(0);
  expect(both.parse({ one: { a: 'b', c: 1 }, three: [{}] })).toEqual({
    one: { a: 'b' },
    three: [{}],
  });
  expect(both.safeParse({ one: { a: 1 } }).error?.issues).toHaveLength(2);
  expect(lazy.extend({ d: z.number() }).parse({ d: 2 })).toEqual({ d: 2 });
  expect(lazy).toBeInstanceOf(z.ZodObject);
  expect(Object.keys(lazy.shape)).toEqual(['a']);
  expect(made).toBe(1);
});

test.each(['client', 'links/has-values'])(
  'a browser makes no schema when it loads %s',
  async (name) => {
    const throwing = 'export const z = new Proxy({}, { get(_, name) { throw new Error(name); } });';
    const zod = {
      name: 'zod-that-throws',
      enforce: 'pre' as const,
      resolveId: (id: string) => (id === 'zod' ? '\0zod' : undefined),
      load: (id: string) => (id === '\0zod' ? throwing : undefined),
    };
    const entry = join(import.meta.dirname, `../../shared/${name}.ts`);
    const [built] = (await build({
      configFile: false,
      logLevel: 'silent',
      plugins: [zod, stripSchemas()],
      build: { write: false, lib: { entry, formats: ['es'] } },
    })) as Rolldown.RolldownOutput[];
    const code = built?.output[0].code ?? '';
    const loaded = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    expect(Object.keys(loaded)).toHaveLength(1);
    expect(code).toMatch(/\.(strictO|o)bject\(/);
  },
);

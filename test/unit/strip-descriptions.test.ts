import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { stripDescriptions } from '../../shared/build/strip-descriptions.ts';

function strip(code: string): string {
  const { handler } = stripDescriptions().transform;
  return handler.call({ parse: parseAst }, code).code;
}

test('descriptions are removed from schemas of browsers, and nothing else', () => {
  const code = `
    const count = (text) => z.number().int().describe(text).optional();
    export const schema = z.object({
      name: z.string().describe(\`Up to \${MAX} characters (with spaces).\`).nullable(),
      tags: z.array(z.string().describe('A tag.')).describe('The tags.'),
    }).meta({ id: 'Thing' });
    describe('all');
    const own = { describe: () => 1 };
  `;
  expect(strip(code)).toBe(`
    const count = (text) => z.number().int().optional();
    export const schema = z.object({
      name: z.string().nullable(),
      tags: z.array(z.string()),
    });
    describe('all');
    const own = { describe: () => 1 };
  `);
});

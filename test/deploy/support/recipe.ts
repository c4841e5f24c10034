import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const RECIPES = join(import.meta.dirname, '../../../docs/recipes.md');

/** The code of a section of docs/recipes.md, with another server and token than its examples. */
export async function readRecipe(
  heading: string,
  { server, token }: { server: string; token: string },
): Promise<string> {
  const text = await readFile(RECIPES, 'utf8');
  const section = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`));
  const [, code] = /```\w+\n([\s\S]*?)```/.exec(section ?? '') ?? [];
  if (code === undefined) throw new Error(`docs/recipes.md has no code under "${heading}"`);
  return code.replaceAll('https://s.example.com', server).replaceAll('curt_…', token);
}

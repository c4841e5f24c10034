import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { argsOf, type Stage } from './dockerfile.ts';

const run = promisify(execFile);

type Replay = {
  stages: Stage[];
  /** The folder from which Docker would copy. */
  context: string;
  /** An empty folder for the files of all stages. */
  folder: string;
};

/**
 * Does what `docker build` would do, without Docker: `COPY` and `RUN`, each stage in a folder of its own. The first
 * `npm ci` takes the packages that are installed here. What changes users and permissions is left out.
 *
 * @returns the working directory of the last stage
 */
export async function replayDockerfile({ stages, context, folder }: Replay): Promise<string> {
  const included = await readIncluded(context);
  const workdirs = new Map<string, string>();
  let workdir = '';
  for (const [index, stage] of stages.entries()) {
    const root = join(folder, String(index));
    const [path = '/'] = argsOf(stage, 'WORKDIR');
    workdir = join(root, path);
    workdirs.set(stage.name, root);
    await mkdir(workdir, { recursive: true });
    for (const { name, args } of stage.instructions) {
      if (name === 'RUN' && args === 'npm ci' && index === 0) {
        await symlink(join(context, 'node_modules'), join(workdir, 'node_modules'));
        await runShell('npm run postinstall', workdir);
      } else if (name === 'RUN' && !args.startsWith('install ')) await runShell(args, workdir);
      if (name === 'COPY') await copy(args, workdir, context, workdirs, included);
    }
  }
  return workdir;
}

async function copy(
  args: string,
  workdir: string,
  context: string,
  roots: Map<string, string>,
  included: string[],
): Promise<void> {
  const words = args.split(' ');
  const [, stage] = /^--from=(.+)/.exec(words[0] ?? '') ?? [];
  const sources = words.slice(stage === undefined ? 0 : 1, -1);
  const target = words.at(-1) ?? '';
  for (const source of sources.flatMap((one) => (one === '.' ? included : one))) {
    if (stage === undefined && !isIncluded(source, included)) {
      throw new Error(`.dockerignore leaves out ${source}`);
    }
    const from = join(stage === undefined ? context : (roots.get(stage) ?? ''), source);
    const isFile = (await stat(from)).isFile();
    const isInto = sources[0] === '.' || (target.endsWith('/') && isFile);
    const to = join(workdir, target, isInto ? basename(source) : '');
    await cp(from, to, { recursive: true });
  }
}

function isIncluded(source: string, included: string[]): boolean {
  return included.some((path) => source === path || source.startsWith(`${path}/`));
}

/** What .dockerignore, which begins with leaving out everything, takes in again. */
async function readIncluded(context: string): Promise<string[]> {
  const lines = (await readFile(join(context, '.dockerignore'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines[0] !== '*') throw new Error('.dockerignore does not begin with *');
  return lines.slice(1).map((line) => line.replace(/^!/, ''));
}

async function runShell(command: string, cwd: string): Promise<void> {
  // From npm's cache where it can, and from the registry otherwise.
  const env = { ...process.env, npm_config_prefer_offline: 'true', npm_config_audit: 'false' };
  await run(command, { cwd, env, shell: true });
}

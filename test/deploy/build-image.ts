import { execFile, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

/** What the Dockerfile and npm run, besides Node.js. */
const PROGRAMS = ['env', 'gzip', 'install', 'rm', 'sh', 'tar'];
const USERS = 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** Of the base, in place of the official image, which no test pulls. */
const BASE = 'localhost/curt-test-node';
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const run = promisify(execFile);

/** Whether images can be built here. */
export function canBuildImages(): boolean {
  return process.getuid?.() === 0 && spawnSync('buildah', ['--version']).status === 0;
}

/**
 * Builds the Dockerfile with buildah, on a base image of this machine's Node.js and npm.
 *
 * @param context the folder from which Docker would copy
 * @param folder an empty folder, for the storage of images
 * @returns the root of a container of the image, as a folder of this machine
 */
export async function buildImage(context: string, folder: string): Promise<string> {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
  const buildah = async (...args: string[]) => {
    const options = {
      env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
      maxBuffer: MAX_OUTPUT_BYTES,
    };
    return (await run('buildah', [...storage, ...args], options)).stdout.trim();
  };
  // Otherwise, mounts are left.
  onTestFinished(async () => {
    await buildah('rm', '--all');
    await buildah('rmi', '--all', '--force');
  });
  const base = await buildah('from', 'scratch');
  await buildah('add', base, await makeBase(join(folder, 'base'), context), '/');
  await buildah('config', '--env', 'PATH=/usr/bin:/bin', base);
  await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, base);
  await buildah('commit', base, BASE);

  const dockerfile = await readFile(join(context, 'Dockerfile'), 'utf8');
  const path = join(folder, 'Dockerfile');
  await writeFile(path, dockerfile.replaceAll('node:26-slim', BASE));
  const image = 'localhost/curt-test';
  await buildah(
    'bud',
    '--format',
    'docker',
    '--pull-never',
    '--file',
    path,
    '--tag',
    image,
    context,
  );
  return buildah('mount', await buildah('from', '--pull-never', image));
}

/** A file system with Node.js, npm, and the programs and libraries that they and native packages need. */
async function makeBase(root: string, context: string): Promise<string> {
  const copy = async (source: string, target = source) => {
    await mkdir(dirname(join(root, target)), { recursive: true });
    await cp(await realpath(source), join(root, target), { recursive: true });
  };
  const copyLibraries = async (path: string) => {
    const { stdout } = await run('ldd', [path]);
    for (const [library] of stdout.matchAll(/(?<=\s)\/\S+/g)) await copy(library);
  };
  for (const name of ['node', 'npm', ...PROGRAMS]) {
    const path = await which(name);
    if (name === 'npm') {
      await copy(dirname(dirname(await realpath(path))), '/usr/lib/npm');
      await symlink('../lib/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
      continue;
    }
    await copy(path, `/usr/bin/${name}`);
    await copyLibraries(path);
  }
  for (const path of globSync(join(context, 'node_modules/@*/*/*.node'))) await copyLibraries(path);
  await mkdir(join(root, 'bin'), { recursive: true });
  await symlink('../usr/bin/sh', join(root, 'bin/sh'));
  await copy(CERTIFICATES);
  await writeFile(join(root, 'etc/passwd'), USERS);
  await writeFile(join(root, 'etc/group'), USERS.replaceAll(/::.*$/gm, ':'));
  const registry = (await run('npm', ['config', 'get', 'registry'])).stdout;
  await writeFile(join(root, 'usr/lib/npm/npmrc'), `registry=${registry}cafile=${CERTIFICATES}\n`);
  for (const name of ['root', 'tmp']) await mkdir(join(root, name));
  return root;
}

async function which(name: string): Promise<string> {
  if (name === 'node') return process.execPath;
  return (await run('sh', ['-c', `command -v ${name}`])).stdout.trim();
}

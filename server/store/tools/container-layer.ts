import { readFileSync, realpathSync } from 'node:fs';

/** File systems that containers lay over their image, for Docker, containerd and Podman. */
const LAYERS = ['overlay', 'fuse.fuse-overlayfs', 'aufs'];

/**
 * @param folder must exist
 * @param mountInfo as in `/proc/self/mountinfo`
 * @returns a warning if the folder is in the writable layer of a container instead of a volume
 */
export function containerLayerWarning(
  folder: string,
  mountInfo = readMountInfo(),
): string | undefined {
  const path = realpathSync(folder);
  if (!isInContainerLayer(path, mountInfo)) return undefined;
  return `${path} is in the writable layer of a container: when the container is removed or updated, all links are lost. Mount a volume there, for example "docker run --volume curt:${path}".`;
}

/**
 * Whether the last mount that contains the folder is a container's root. The format is the one of
 * proc_pid_mountinfo(5).
 *
 * @param path absolute, without symbolic links
 */
export function isInContainerLayer(path: string, mountInfo: string): boolean {
  let innermost = { mountPoint: '', type: '' };
  for (const line of mountInfo.split('\n')) {
    const [mount = '', fileSystem = ''] = line.split(' - ');
    const mountPoint = unescapeOctal(mount.split(' ')[4] ?? '');
    const [type = ''] = fileSystem.split(' ');
    // A later mount with the same mount point hides an earlier one.
    if (contains(mountPoint, path) && mountPoint.length >= innermost.mountPoint.length) {
      innermost = { mountPoint, type };
    }
  }
  return innermost.mountPoint === '/' && LAYERS.includes(innermost.type);
}

function contains(mountPoint: string, path: string): boolean {
  return mountPoint === '/' || path === mountPoint || path.startsWith(`${mountPoint}/`);
}

/** Spaces, tabs, line feeds and backslashes are octal: `\040`. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
}

/** Empty on systems without it. */
function readMountInfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

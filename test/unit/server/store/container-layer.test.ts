import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { containerLayerWarning, isInContainerLayer } from '../../../../server/store/tools/open.ts';
import { newFolder } from '../../../support/new-folder.ts';

/** As Docker, Podman and others write it; the lists of layers are shortened. */
const DOCKER = `
1563 1339 0:132 / / rw,relatime master:486 - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/JQ6Z:/var/lib/docker/overlay2/l/4WBN,upperdir=/var/lib/docker/overlay2/5c1e/diff,workdir=/var/lib/docker/overlay2/5c1e/work
1564 1563 0:135 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw
1565 1563 0:136 / /dev rw,nosuid - tmpfs tmpfs rw,size=65536k,mode=755,inode64
1566 1565 0:137 / /dev/pts rw,nosuid,noexec,relatime - devpts devpts rw,gid=5,mode=620,ptmxmode=666
1571 1563 254:1 /var/lib/docker/containers/9f2b/resolv.conf /etc/resolv.conf rw,relatime - ext4 /dev/vda1 rw
1572 1563 254:1 /var/lib/docker/containers/9f2b/hostname /etc/hostname rw,relatime - ext4 /dev/vda1 rw`;
const DOCKER_WITH_VOLUME = `${DOCKER}
1594 1563 254:1 /var/lib/docker/volumes/curt_data/_data /data rw,relatime master:1 - ext4 /dev/vda1 rw,discard`;
const DOCKER_WITH_BIND_MOUNT = `${DOCKER}
1594 1563 259:2 /srv/short\\040links /srv/short\\040links rw,relatime - xfs /dev/nvme0n1p2 rw,attr2`;
const DOCKER_READ_ONLY = DOCKER.replace(' / / rw,', ' / / ro,');
const PODMAN_ROOTLESS = `
911 810 0:58 / / rw,nodev,noatime - fuse.fuse-overlayfs fuse-overlayfs rw,user_id=0,group_id=0,default_permissions,allow_other
912 911 0:62 / /sys ro,nosuid,nodev,noexec,relatime - sysfs sysfs rw`;
const KUBERNETES = `
2318 1706 0:312 / / rw,relatime - overlay overlay rw,lowerdir=/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/61/fs,upperdir=/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/62/fs,workdir=/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/62/work
2330 2318 8:32 / /data rw,relatime - ext4 /dev/sdc rw,discard,stripe=1024`;
const MACHINE = `
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
71 27 0:47 / /var/lib/docker/overlay2/5c1e/merged rw,relatime shared:38 - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/JQ6Z`;

describe('the data folder', () => {
  test.each([
    ['a container of Docker without a volume', DOCKER, '/data'],
    ['the project in a container', DOCKER, '/opt/curt/data'],
    ['another folder than the volume', DOCKER_WITH_VOLUME, '/data2'],
    ['the folder around the volume', DOCKER_WITH_BIND_MOUNT, '/srv'],
    ['a container with a read-only root', DOCKER_READ_ONLY, '/data'],
    ['a container of Podman without root', PODMAN_ROOTLESS, '/data'],
    ['another folder of a pod', KUBERNETES, '/var/lib/curt'],
  ])('is lost with the container: %s', (_title, mountInfo, path) => {
    expect(isInContainerLayer(path, mountInfo)).toBe(true);
  });

  test.each([
    ['a volume of Docker', DOCKER_WITH_VOLUME, '/data'],
    ['a folder in a volume', DOCKER_WITH_VOLUME, '/data/curt'],
    [
      'a folder of the machine, with a space in its name',
      DOCKER_WITH_BIND_MOUNT,
      '/srv/short links/data',
    ],
    ['a persistent volume of Kubernetes', KUBERNETES, '/data'],
    ['a machine that runs containers', MACHINE, '/var/lib/curt'],
    ['a system without mount information', '', '/data'],
  ])('stays: %s', (_title, mountInfo, path) => {
    expect(isInContainerLayer(path, mountInfo)).toBe(false);
  });
});

test('the warning says what to do, also if the folder has another name', async () => {
  const folder = await realpath(await newFolder());
  await mkdir(join(folder, 'data'));
  await symlink('data', join(folder, 'link'));
  expect(containerLayerWarning(join(folder, 'link'), DOCKER)).toBe(
    `${folder}/data is in the writable layer of a container: when the container is removed or updated, all links are lost. Mount a volume there, for example "docker run --volume curt:${folder}/data".`,
  );
  expect(containerLayerWarning(folder, MACHINE)).toBeUndefined();
});

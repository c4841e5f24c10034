import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * An administrator restores for the user who runs the server. That user can change the folder at any
 * moment, and put a symbolic link into it. So what happens there happens with the user's rights.
 *
 * @param folder if it doesn't exist, the one that it will be in counts
 * @returns a function that gives root its rights back
 */
export function actAsOwner(folder: string): () => void {
  if (process.geteuid?.() !== 0) return () => {};
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const { uid, gid } = statSync(existing);
  if (uid === 0) return () => {};
  const [ownGroup, ownGroups] = [process.getegid?.() ?? 0, process.getgroups?.() ?? []];
  process.setgroups?.([gid]);
  process.setegid?.(gid);
  process.seteuid?.(uid);
  return () => {
    process.seteuid?.(0);
    process.setegid?.(ownGroup);
    process.setgroups?.(ownGroups);
  };
}

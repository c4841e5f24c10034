// Plain JavaScript, like the files that import it: any version of Node.js can run it.

import { statSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';

const MIN_NODE_VERSION = 24;
const version = process.versions.node;

/** Why this Node.js cannot run Curt; undefined if it can. */
export const nodeProblem =
  Number.parseInt(version, 10) < MIN_NODE_VERSION
    ? `Curt needs Node.js ${MIN_NODE_VERSION} or newer, not ${version}.`
    : undefined;

/** What to do when a package is missing, or has no code for this system. */
export const loadProblem = ({ message }) =>
  `Curt cannot be loaded: ${message.split('\n')[0]}\nInstall it again on this machine, with its optional packages: "npm ci --omit=dev", or "npm install --global" and the package.`;

/**
 * Skips most of the compilation from the second time on. In the project, because a folder that other users can write
 * to could contain their code. Where it cannot be written, nothing is cached. Root leaves no files in the folder of
 * another user, who could not replace them.
 *
 * @param {string} project its folder
 */
export function cacheCode(project) {
  if (process.geteuid?.() === 0 && statSync(project).uid !== 0) return;
  module.enableCompileCache(join(project, 'node_modules/.cache/compile'));
}

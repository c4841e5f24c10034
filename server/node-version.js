// Plain JavaScript, like the files that import it: any version of Node.js can run it.

const MIN_NODE_VERSION = 24;
const version = process.versions.node;

/** Why this Node.js cannot run Curt; undefined if it can. */
export const nodeProblem =
  Number.parseInt(version, 10) < MIN_NODE_VERSION
    ? `Curt needs Node.js ${MIN_NODE_VERSION} or newer, not ${version}.`
    : undefined;

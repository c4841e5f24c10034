/** More would not fit into the memory of a small machine if none of them read its answers. */
const MAX_CONNECTIONS = 4000;
/** File descriptors for Node itself and for the store. */
const RESERVED_FILES = 100;
/** At the very least, a few people at a time. */
const MIN_CONNECTIONS = 16;

/**
 * How many connections the server takes: each needs a file descriptor. Where they ran out, the
 * store could not write, and nobody would learn why.
 */
export function maxConnections(openFiles = openFilesLimit()): number {
  return Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, openFiles - RESERVED_FILES));
}

/** `ulimit -n`; infinite where the system has no such limit, as on Windows. */
function openFilesLimit(): number {
  // Without the network part, which takes a look-up for each address.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport() as Report;
  const limit = report.userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
}

type Report = { userLimits?: { open_files?: { soft: number | 'unlimited' } } };

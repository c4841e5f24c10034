/** If no client read its responses, more would exceed the memory of a small machine. */
const MAX_CONNECTIONS = 4000;
/** File descriptors for Node.js and the store. */
const RESERVED_FILES = 100;
/** The minimum, for a few clients at a time. */
const MIN_CONNECTIONS = 16;

/**
 * The maximum number of connections. Each needs a file descriptor; without free ones, the store could
 * not write.
 */
export function maxConnections(openFiles = openFilesLimit()): number {
  return Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, openFiles - RESERVED_FILES));
}

let limit: number | undefined;

/** `ulimit -n`, or infinity on systems without this limit, such as Windows. */
function openFilesLimit(): number {
  // The report is slow to make.
  limit ??= readLimit();
  return limit;
}

function readLimit(): number {
  // Without the network part, which needs a DNS lookup for each address.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport() as Report;
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

type Report = { userLimits?: { open_files?: { soft: number | 'unlimited' } } };

type KeyedMutexOptions = {
  /** Maximum number of tasks that wait for each key. @default Infinity */
  maxWaiting?: number;
  /** Creates the error for a task that exceeds `maxWaiting`. */
  onFull?: () => Error;
};

/**
 * Creates a function that runs the tasks of each key one at a time, in order. A task starts when the
 * previous one has settled, even if that one failed.
 *
 * @throws the error of `onFull` if too many tasks are waiting
 */
export function createKeyedMutex({
  maxWaiting = Number.POSITIVE_INFINITY,
  onFull = () => new Error('too many tasks are waiting'),
}: KeyedMutexOptions = {}) {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();

  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (queue.length > maxWaiting) throw onFull();
    queues.set(key, queue);
    queue.length++;
    const result = queue.last.then(task);
    queue.last = result.catch(() => {});
    try {
      return await result;
    } finally {
      queue.length--;
      if (queue.length === 0) queues.delete(key);
    }
  };
}

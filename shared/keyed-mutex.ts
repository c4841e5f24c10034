export type TurnsOptions = {
  /** How many may wait behind the one under way, for each key. @default without end */
  maxWaiting?: number;
  /** What the next one is told. */
  onFull?: () => Error;
};

/**
 * One after the other for each key: a task starts when those before it have ended, well or not.
 *
 * @throws what `onFull` gives, where too many wait
 */
export function createKeyedMutex({
  maxWaiting = Number.POSITIVE_INFINITY,
  onFull = () => new Error('too many wait for their turn'),
}: TurnsOptions = {}) {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();

  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (queue.length > maxWaiting) throw onFull();
    queues.set(key, queue);
    queue.length++;
    const turn = queue.last.then(task);
    queue.last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      queue.length--;
      if (queue.length === 0) queues.delete(key);
    }
  };
}

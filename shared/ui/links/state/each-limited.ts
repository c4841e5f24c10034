/** Few, so that a click on many links leaves the server time for others. */
const CONCURRENT = 4;

/** Runs a task for each item, a few at a time. @returns the results in the order of the items */
export async function eachLimited<T, R>(items: T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await run(items[index] as T);
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  return results;
}

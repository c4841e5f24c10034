/** Repeats a task until it says that nothing is left to do, or until `isClosed` returns true. */
export async function untilDone(
  isClosed: () => boolean,
  doSome: () => Promise<boolean>,
): Promise<void> {
  for (let isMore = true; isMore && !isClosed(); ) isMore = await doSome();
}

/** Counts the calls that write. */
export class PendingWrites {
  /** Calls under way. */
  count = 0;

  track<T>(call: Promise<T>): Promise<T> {
    this.count++;
    return call.finally(() => {
      this.count--;
    });
  }
}

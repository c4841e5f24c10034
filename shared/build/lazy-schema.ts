/**
 * Returns what stands for the schema, or the fields of schemas, that `make` returns, and makes them when they are
 * first used. Of all schemas in the table of endpoints, a page or a click needs a few, and each costs time.
 */
export function lazySchema<T extends object>(make: () => T): T {
  let made: T | undefined;
  const schema = () => (made ??= make());
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(schema(), key),
    has: (_, key) => key in schema(),
    getPrototypeOf: () => Reflect.getPrototypeOf(schema()),
    ownKeys: () => Reflect.ownKeys(schema()),
    getOwnPropertyDescriptor(_, key) {
      const property = Reflect.getOwnPropertyDescriptor(schema(), key);
      return property && { ...property, configurable: true };
    },
  });
}

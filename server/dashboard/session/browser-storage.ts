import type { TokenStorage } from './session.ts';

/** A storage of the browser, or one that ends with the page if the browser allows none. */
export function openStorage(name: 'sessionStorage' | 'localStorage'): TokenStorage {
  try {
    return window[name];
  } catch {
    const items = new Map<string, string>();
    return {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    };
  }
}

import { signal } from '@preact/signals';
import { type ComponentType, h } from 'preact';
import { useEffect } from 'preact/hooks';

export type LazyComponent<P extends object> = ReturnType<typeof lazy<P>>;

/**
 * A component that loads when it is first rendered, or earlier with `preload`. Once loaded, it renders
 * synchronously.
 */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>) {
  const loaded = signal<ComponentType<P> | undefined>(undefined);
  let loading: Promise<void> | undefined;

  function preload(): Promise<void> {
    loading ??= load().then((component) => {
      loaded.value = component;
    });
    return loading;
  }

  function Lazy(props: P) {
    const Component = loaded.value;
    useEffect(() => void preload(), []);
    return Component ? h(Component, props) : null;
  }
  return Object.assign(Lazy, { preload });
}

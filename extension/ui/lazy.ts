import { signal } from '@preact/signals';
import { type ComponentType, h } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * A component that no page shows at once: it comes when it is first shown, or before at `preload`,
 * and then stands there without a moment of nothing.
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

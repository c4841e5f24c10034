import { signal, useSignal } from '@preact/signals';
import { type ComponentType, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.ts';
import { FailureNote } from './FailureNote.tsx';
import { restoreFocusAfter } from './restore-focus.ts';

export type LazyComponent<P extends object> = ReturnType<typeof lazy<P>>;

/**
 * A component that loads when it is first rendered, or earlier with `preload`. Once loaded, it renders
 * synchronously. If that fails, it says so in its place, and can be tried again.
 */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>) {
  const loaded = signal<ComponentType<P> | undefined>(undefined);
  let loading: Promise<void> | undefined;

  function preload(): Promise<void> {
    loading ??= load().then(
      (component) => {
        loaded.value = component;
      },
      (error) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }

  function Lazy(props: P) {
    const Component = loaded.value;
    const hasFailed = useSignal(false);
    const show = () =>
      preload().catch(() => {
        hasFailed.value = true;
      });
    useEffect(() => void show(), []);
    if (Component) return h(Component, props);
    const texts = { title: t('extension_failed_title'), text: t('part_failed_text') };
    const onRetry = () => restoreFocusAfter(document.activeElement as HTMLElement | null, show);
    return hasFailed.value ? h(FailureNote, { failure: texts, onRetry }) : null;
  }
  return Object.assign(Lazy, { preload });
}

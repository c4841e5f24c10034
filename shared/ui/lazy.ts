import { signal, useSignal } from '@preact/signals';
import { type ComponentType, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.ts';
import { FailureNote } from './FailureNote.tsx';
import { restoreFocusAfter } from './restore-focus.ts';

/** Loads what parts need beside their code. */
let loadForParts = async (): Promise<unknown> => undefined;

/** Sets what parts of a page wait for beside their code, such as texts that its first content lacks. */
export function loadWithParts(load: () => Promise<unknown>): void {
  loadForParts = load;
}

export type LazyOptions = {
  /** Whether it is what a page shows first, and does not wait for what parts need. @default false */
  isFirst?: boolean;
};
type LazyComponentOptions<P extends object> = LazyOptions & {
  /** What holds its place until it is loaded. @default nothing */
  placeholder?: ComponentType<P>;
};

/** Returns code that loads when it is first used, or earlier with `preload`. Once loaded, it runs at once. */
export function lazyCode<T extends object>(
  load: () => Promise<T>,
  { isFirst = false }: LazyOptions = {},
) {
  const loaded = signal<T | undefined>(undefined);
  let loading: Promise<T> | undefined;

  function preload(): Promise<T> {
    loading ??= Promise.all([load(), isFirst || loadForParts()]).then(
      ([code]) => {
        loaded.value = code;
        return code;
      },
      (error) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }

  /** @param onFailure what is done instead if it cannot be loaded */
  async function use<R>(
    act: (code: T) => R | Promise<R>,
    onFailure: () => R | Promise<R>,
  ): Promise<R> {
    if (!loaded.peek()) {
      try {
        await preload();
      } catch {
        return onFailure();
      }
    }
    return act(loaded.peek() as T);
  }

  return { loaded, preload, use };
}

export type LazyComponent<P extends object> = ReturnType<typeof lazy<P>>;

/**
 * Returns a component that loads when it is first rendered, or earlier with `preload`. Once loaded, it renders
 * synchronously. If that fails, it says so in its place, and can be tried again.
 */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { placeholder, ...options }: LazyComponentOptions<P> = {},
) {
  const { loaded, preload } = lazyCode(load, options);

  function Lazy(props: P) {
    const Component = loaded.value;
    const hasFailed = useSignal(false);
    const show = () =>
      preload().catch(() => {
        hasFailed.value = true;
      });
    useEffect(() => void show(), []);
    if (Component) return h(Component, props);
    if (!hasFailed.value) return placeholder ? h(placeholder, props) : null;
    const texts = { title: t('extension_failed_title'), text: t('part_failed_text') };
    const onRetry = () => restoreFocusAfter(document.activeElement as HTMLElement | null, show);
    return h(FailureNote, { failure: texts, onRetry });
  }
  return Object.assign(Lazy, { preload });
}

import { computed } from '@preact/signals';
import { h } from 'preact';
import { lazy, lazyCode } from '../../../shared/ui/lazy.ts';
import type { SignInProps } from './SignIn.tsx';
import type { SignInParts } from './sign-in-state.ts';

export type SignIn = ReturnType<typeof createSignIn>;

/** Creates the sign-in, which only those load who are not signed in, or come with a key in the address. */
export function createSignIn(parts: SignInParts) {
  const state = lazyCode(async () => (await import('./sign-in-state.ts')).createSignInState(parts));

  const Form = lazy<Omit<SignInProps, 'state'>>(async () => {
    const [{ SignIn }, loaded] = await Promise.all([import('./SignIn.tsx'), state.preload()]);
    return (props) => h(SignIn, { ...props, state: loaded });
  });

  return {
    Form,
    /** Whether somebody else than who is signed in came with a key in the address. */
    isAsked: computed(() => state.loaded.value?.isFromAddress.value === true),
    /** Offers the key of an address, once that is known to be another account's. */
    offer: (fragment: string) =>
      state.use(
        ({ offer }) => offer(fragment),
        () => {},
      ),
  };
}

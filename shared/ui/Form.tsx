import type { ComponentProps } from 'preact';

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  onSubmit(form: HTMLFormElement): unknown;
};

/** Renders a `<form>` that stays on its page, and whose state says what is invalid. */
export function Form({ onSubmit, ...form }: FormProps) {
  return (
    <form
      {...form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog can be inside another form.
        event.stopPropagation();
        void onSubmit(event.currentTarget);
      }}
    />
  );
}

/**
 * Names an entry in a password manager. Without it, the passwords of a host replace each other. Nobody sees it:
 * there is nothing to enter.
 */
export function Username({ name }: { name: string }) {
  return <input hidden readOnly name="username" autocomplete="username" value={name} />;
}

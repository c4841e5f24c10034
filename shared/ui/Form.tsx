import type { ComponentProps } from 'preact';

export type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  onSubmit(form: HTMLFormElement): unknown;
};

/** A `<form>` that stays on its page, and whose state says what is invalid. */
export function Form({ onSubmit, ...form }: FormProps) {
  return (
    <form
      {...form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit(event.currentTarget);
      }}
    />
  );
}

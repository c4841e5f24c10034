import { errorText } from '../../../i18n/error-text.ts';
import type { Failure } from '../../../messaging/protocol.ts';

export type FormErrorProps = {
  failure: Failure | undefined;
  serverOrigin: string | undefined;
  /** Whether a field shows the error too: then this only announces it to screen readers. */
  isAtField: boolean;
};

/** Why the link was not created. Always rendered: a live region must exist before its text. */
export function FormError({ failure, serverOrigin, isAtField }: FormErrorProps) {
  const error = failure && errorText(failure, serverOrigin);
  return (
    <div role="alert" class={isAtField ? 'visually-hidden' : 'form-error'}>
      {error && (
        <>
          <strong>{error.title}</strong>
          <p>{error.text}</p>
        </>
      )}
    </div>
  );
}

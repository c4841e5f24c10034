import { ENGLISH } from '../../../../shared/i18n/english.ts';
import type { Marked } from '../../../../shared/ui/link-form/mark-fields.ts';
import { errorText } from '../../../i18n/error-text.ts';
import type { Failure } from '../../../messaging/protocol.ts';

export type FormErrorProps = {
  /** If fields show it too, this only announces it to screen readers. */
  failure: Marked<Failure> | undefined;
  serverOrigin: string | undefined;
};

/** Why the link was not created. Always rendered: a live region must exist before its text. */
export function FormError({ failure, serverOrigin }: FormErrorProps) {
  const error = failure && errorText(failure, serverOrigin);
  return (
    <div role="alert" class={failure?.isMarked ? 'visually-hidden' : 'form-error'}>
      {error && (
        <>
          <strong>{error.title}</strong>
          <p {...(error.isEnglish && ENGLISH)}>{error.text}</p>
        </>
      )}
    </div>
  );
}

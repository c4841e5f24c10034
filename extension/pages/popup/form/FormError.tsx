import { errorText } from '../../../i18n/error-text.ts';
import type { Failure } from '../../../messaging/protocol.ts';

export type FormErrorProps = {
  failure: Failure | undefined;
  serverOrigin: string | undefined;
  /** Whether a field says it: it is announced here, and covers none of the field's suggestions. */
  isAtField: boolean;
};

/** Why the form's link was not made. It is there from the start, so that what comes is announced. */
export function FormError({ failure, serverOrigin, isAtField }: FormErrorProps) {
  const words = failure && errorText(failure, serverOrigin);
  return (
    <div role="alert" class={isAtField ? 'unseen' : 'form-refusal'}>
      {words && (
        <>
          <strong>{words.title}.</strong> {words.text}
        </>
      )}
    </div>
  );
}

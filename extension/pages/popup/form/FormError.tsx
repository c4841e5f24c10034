import { explain } from '../../../i18n/error-text.ts';
import type { Refusal } from '../../../messaging/protocol.ts';

export type FormRefusalProps = {
  refusal: Refusal | undefined;
  serverOrigin: string | undefined;
  /** Whether a field says it: it is announced here, and covers none of the field's suggestions. */
  isAtField: boolean;
};

/** Why the form's link was not made. It is there from the start, so that what comes is announced. */
export function FormRefusal({ refusal, serverOrigin, isAtField }: FormRefusalProps) {
  const words = refusal && explain(refusal, serverOrigin);
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

import { ENGLISH } from '../../../../shared/i18n/english.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { Marked } from '../../../../shared/ui/link-form/form-issues.ts';
import { linkFailureText } from '../../../../shared/ui/links/link-failure-text.ts';
import { errorText } from '../../../i18n/error-text.ts';
import type { Failure } from '../../../messaging/protocol.ts';

export type FormErrorProps = {
  /** If fields show it too, this only announces it to screen readers. */
  failure: Marked<Failure> | undefined;
  serverOrigin: string | undefined;
};

/** Renders why the link was not created or changed. Always rendered: a live region must exist before its text. */
export function FormError({ failure, serverOrigin }: FormErrorProps) {
  const ofLink = failure && textOfChange(failure.code);
  const error = failure && !ofLink && errorText(failure, serverOrigin);
  return (
    <div role="alert" class={failure?.isMarked ? 'visually-hidden' : 'form-error'}>
      {ofLink && <p>{ofLink}</p>}
      {error && (
        <>
          <strong>{error.title}</strong>
          <p {...(error.isEnglish && ENGLISH)}>{error.text}</p>
        </>
      )}
    </div>
  );
}

/** Failures that only changes of a link have. */
function textOfChange(code: Failure['code']): string | undefined {
  if (code !== 'version_mismatch') return linkFailureText(code);
  return t('title_and_text', t('conflict_title'), t('conflict_check'));
}

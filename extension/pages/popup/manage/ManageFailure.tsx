import { t } from '../../../../shared/i18n/translate.ts';
import type { Marked } from '../../../../shared/ui/link-form/mark-fields.ts';
import type { Failure } from '../../../messaging/protocol.ts';
import { failureText } from '../../links/source-texts.ts';

export type ManageFailureProps = { failure: Marked<Failure>; serverOrigin: string };

/** Why the link was not changed. */
export function ManageFailure({ failure, serverOrigin }: ManageFailureProps) {
  const isConflict = failure.code === 'version_mismatch';
  return (
    <p>
      {isConflict
        ? t('title_and_text', t('conflict_title'), t('conflict_check'))
        : failureText(failure, serverOrigin)}
    </p>
  );
}

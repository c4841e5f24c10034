import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { Form } from '../Form.tsx';
import { FormParts, type FormPartsProps } from './FormParts.tsx';
import { focusFirstIssue, unreadableInputs } from './form-issues.ts';
import { FormAside } from './LinkPreview.tsx';
import type { FormIssues, LinkForm } from './link-form.ts';

type LinkFormFrameProps = FormPartsProps & {
  /** What the form is called. */
  label: string;
  /** The field that gets the focus when the form opens. @default the focus stays where it is */
  focusedField?: keyof LinkForm | undefined;
  /** What the QR code leads to, once there is an alias. @default no code and no preview beside the form */
  shortUrl?: string | undefined;
  /** Above the fields. */
  start?: ComponentChildren;
  /** Why saving failed, and the buttons, which stay in sight. */
  end: ComponentChildren;
  /** @param unreadable what the browser found wrong, such as text in a field for numbers */
  onSubmit(unreadable: FormIssues): Promise<void>;
  /** Instead of what Escape does. */
  onEscape?: (() => void) | undefined;
};

/** Renders the form of a link, new or not. Ctrl+Enter saves it from every field. */
export function LinkFormFrame({
  label,
  focusedField,
  shortUrl,
  start,
  end,
  onSubmit,
  onEscape,
  ...fields
}: LinkFormFrameProps) {
  const form = useRef<HTMLFormElement>(null);
  // At once: a late effect would take the focus from a field that the user has chosen since.
  useLayoutEffect(() => {
    if (!focusedField || document.activeElement?.matches('input')) return;
    form.current?.querySelector<HTMLInputElement>(`[name="${focusedField}"]`)?.focus();
  }, []);
  return (
    <Form
      class="link-form"
      ref={form}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.isComposing) return;
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          form.current?.requestSubmit();
        }
        if (event.key === 'Escape' && onEscape) {
          event.preventDefault();
          onEscape();
        }
      }}
      onSubmit={async (submitted) => {
        await onSubmit(unreadableInputs(submitted));
        requestAnimationFrame(() => {
          if (!submitted.isConnected) return;
          focusFirstIssue(submitted);
          submitted.querySelector('.suggestions')?.scrollIntoView({ block: 'nearest' });
        });
      }}
    >
      {start}
      <div class="link-form-body">
        <FormParts {...fields} />
        {shortUrl !== undefined && (
          <FormAside form={fields.form} host={fields.host ?? ''} shortUrl={shortUrl} />
        )}
      </div>
      <div class="form-end">{end}</div>
    </Form>
  );
}

/** Says that a form has what was typed before, and lets the user start over. */
export function DraftNote({ isShown, onDiscard }: { isShown: boolean; onDiscard(): void }) {
  return (
    <div role="status" class="draft-note">
      {isShown && (
        <>
          <span>{t('draft_restored')}</span>
          <button type="button" class="button plain" onClick={onDiscard}>
            {t('draft_discard')}
          </button>
        </>
      )}
    </div>
  );
}

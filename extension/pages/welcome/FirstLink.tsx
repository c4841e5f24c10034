import { useRef } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { Form } from '../../../shared/ui/Form.tsx';
import { InputField } from '../../../shared/ui/InputField.tsx';
import { CopyLine } from './CopyLine.tsx';
import { Step } from './Step.tsx';
import type { WelcomeState } from './welcome-state.ts';

export type FirstLinkProps = {
  state: WelcomeState;
  number: number;
  /** No link was created, because the server's address needs a correction. */
  onServerError: () => void;
};

export function FirstLink({ state, number, onServerError }: FirstLinkProps) {
  const link = state.link.value;
  const input = useRef<HTMLInputElement>(null);

  async function submit(): Promise<void> {
    const place = await state.shorten();
    // A screen reader also announces the field's error.
    if (place === 'url') input.current?.focus();
    if (place === 'server') onServerError();
  }

  return (
    <Step number={number} heading={t('welcome_link_heading')} isDone={link !== undefined}>
      <p class="intro">{t('welcome_link_intro')}</p>
      <Form class="rows" onSubmit={submit}>
        <InputField
          label={t('welcome_field_page')}
          issue={state.problemAt('url')}
          ref={input}
          type="url"
          isUrl
          name="page"
          value={state.url.value}
          onInput={(event) => state.changeUrl(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div class="buttons">
          <button type="submit" class="button primary" aria-disabled={state.isWorking.value}>
            {t(state.isWorking.value ? 'working' : 'shorten')}
          </button>
        </div>
        <p class="issue" role="alert">
          {state.problemAt('link')}
        </p>
      </Form>
      <div role="status">
        {link && (
          <p>
            {t('link_created')}:{' '}
            <a class="short-url" href={link.shortUrl} target="_blank" rel="noreferrer" dir="ltr">
              {link.shortUrl.replace(/^https?:\/\//, '')}
            </a>
          </p>
        )}
        {link && state.isNotSaved.value && <p class="warning">{t('link_not_saved')}</p>}
      </div>
      {link && (
        <CopyLine state={state} text={link.shortUrl} label={t('copy')}>
          {null}
        </CopyLine>
      )}
    </Step>
  );
}

import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { lazy } from '../../../shared/ui/lazy.ts';
import type { CreateState } from './create-state.ts';

const QrPanel = lazy(async () => (await import('../../../shared/ui/qr/QrPanel.tsx')).QrPanel);

/** The link that was just created, already copied if the browser allows it. */
export function CreatedLink({ state, link }: { state: CreateState; link: LinkRecord }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const isCopied = state.isCopied.value;
  return (
    <section class="card" aria-labelledby="created-heading">
      <h2 id="created-heading" ref={heading} tabIndex={-1}>
        {t('link_created')}
      </h2>
      <p class="created-url">
        <a href={link.shortUrl} target="_blank" rel="noreferrer" dir="ltr">
          {link.shortUrl}
        </a>
      </p>
      <p class="hint clipped" dir="ltr">
        {link.originalUrl}
      </p>
      <p class="note" role="status">
        {isCopied !== undefined && t(isCopied ? 'short_link_copied' : 'copy_failed')}
      </p>
      <div class="buttons">
        <button type="button" class="button primary" onClick={state.copy}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          {t('copy')}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            state.startAgain();
            // The button is gone with this page.
            requestAnimationFrame(() =>
              document.querySelector('form')?.querySelector('input')?.focus(),
            );
          }}
        >
          {t('create_another')}
        </button>
      </div>
      <Disclosure label={t('qr_code')} icon="qr">
        {() => <QrPanel shortUrl={link.shortUrl} />}
      </Disclosure>
    </section>
  );
}

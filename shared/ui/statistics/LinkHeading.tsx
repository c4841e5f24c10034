import { useSignal } from '@preact/signals';
import { t } from '../../i18n/translate.ts';
import { destinationsOf, type ShownLink } from '../../links/shown-link.ts';
import { copyFromPage } from '../copy-text.js';
import { Icon } from '../Icon.tsx';
import { lazy } from '../lazy.ts';

const RuleList = lazy(async () => (await import('../rules/RuleList.tsx')).RuleList);
const QrDialog = lazy(async () => (await import('../links/QrDialog.tsx')).QrDialog);

export type LinkHeadingProps = {
  shortUrl: string;
  /** Empty if it has none, or while it is read. */
  title: string;
  /** Undefined while it is read. */
  link: ShownLink | undefined;
  /** The list of links. */
  backUrl: string;
  /** The list of links, where this one can be edited. */
  editUrl: string;
};

/** Says which link the statistics are about, and what can be done with it. */
export function LinkHeading({ shortUrl, title, link, backUrl, editUrl }: LinkHeadingProps) {
  const isCopied = useSignal<boolean | undefined>(undefined);
  const isQrOpen = useSignal(false);
  async function copy() {
    isCopied.value = undefined;
    isCopied.value = await copyFromPage(shortUrl);
  }
  const hasRules = link !== undefined && destinationsOf(link).rules.length > 0;
  return (
    <>
      <div class="statistics-link">
        <a class="statistics-back" href={backUrl}>
          {t('all_links')}
        </a>
        {title && (
          <h2 class="statistics-title">
            <bdi>{title}</bdi>
          </h2>
        )}
        <a href={shortUrl} target="_blank" rel="noreferrer" dir="ltr">
          {shortUrl.replace(/^https?:\/\//, '')}
        </a>
        <div class="buttons">
          <button type="button" class="button" onClick={copy}>
            <Icon name={isCopied.value ? 'check' : 'copy'} />
            {t('copy')}
          </button>
          <button
            type="button"
            class="button"
            onClick={() => {
              isQrOpen.value = true;
            }}
          >
            <Icon name="qr" />
            {t('qr_code')}
          </button>
          <a class="button" href={editUrl}>
            <Icon name="edit" />
            {t('link_edit')}
          </a>
        </div>
        <p role="status" class={isCopied.value === false ? 'error-message' : 'visually-hidden'}>
          {isCopied.value !== undefined &&
            t(isCopied.value ? 'short_link_copied' : 'link_not_copied')}
        </p>
        <QrDialog
          link={isQrOpen.value ? { shortUrl } : undefined}
          onClose={() => {
            isQrOpen.value = false;
          }}
        />
      </div>
      {hasRules && <RuleList link={link} />}
    </>
  );
}

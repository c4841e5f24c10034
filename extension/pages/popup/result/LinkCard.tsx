import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { Icon } from '../../../../shared/ui/Icon.tsx';
import { lazy } from '../../../../shared/ui/lazy.ts';
import type { LinkSummary } from '../../../links/link.ts';
import type { PopupState } from '../state/popup-state.ts';
import { linkFacts } from './link-facts.ts';
import { ShortUrl } from './ShortUrl.tsx';

/** Loaded on demand: most popups never show one. */
const QrPanel = lazy(async () => (await import('../../../../shared/ui/qr/QrPanel.tsx')).QrPanel);

const MIDDLE_BUTTON = 1;

export type LinkCardProps = {
  link: LinkSummary;
  isCopied: boolean;
  /** How many there were, beside the target. */
  visits: ComponentChildren;
  /** Whether the account in use can change the link. */
  isEditable: boolean;
  state: PopupState;
  onOpen: (url: string) => void;
  onCustomizeQr?: ((shortUrl: string) => void) | undefined;
};

/** A short link and its actions. Copy comes first, so that Enter copies. */
export function LinkCard({
  link,
  isCopied,
  visits,
  isEditable,
  state,
  onOpen,
  onCustomizeQr,
}: LinkCardProps) {
  const isQrShown = useSignal(false);
  const qrId = useId();
  const isEdited = state.isFormOpen.value || state.isAliasEdited.value;
  /** Handles every kind of click: the browser would open a private window's link in a normal one. */
  function open(event: MouseEvent): void {
    event.preventDefault();
    onOpen(link.shortUrl);
  }

  return (
    <>
      <ShortUrl link={link} state={state} isEditable={isEditable} />
      <div class="actions">
        <button
          type="button"
          // A form has its own primary button.
          class={isEdited ? 'button' : 'button primary'}
          onClick={state.copyAgain}
        >
          <Icon name={isCopied ? 'check' : 'copy'} />
          {t('copy')}
        </button>
        <button
          type="button"
          class="button"
          aria-expanded={isQrShown.value}
          aria-controls={qrId}
          onPointerEnter={QrPanel.preload}
          onFocus={QrPanel.preload}
          onClick={() => {
            isQrShown.value = !isQrShown.value;
          }}
        >
          <Icon name="qr" />
          {t('qr_code')}
        </button>
        <a
          class="button"
          href={link.shortUrl}
          onClick={open}
          onAuxClick={(event) => event.button === MIDDLE_BUTTON && open(event)}
        >
          <Icon name="open" />
          {t('open')}
        </a>
      </div>
      <div id={qrId} hidden={!isQrShown.value}>
        {isQrShown.value && (
          <QrPanel
            shortUrl={link.shortUrl}
            onCustomize={onCustomizeQr && (() => onCustomizeQr(link.shortUrl))}
          />
        )}
      </div>
      <p class="facts">
        <span class="target-line">
          <span class="target" title={link.originalUrl}>
            {t('target')} <bdi dir="ltr">{link.originalUrl.replace(/^https?:\/\//, '')}</bdi>
          </span>
          {visits}
        </span>
        {linkFacts(link).map((fact) => (
          <span class="fact" key={fact}>
            {fact}
          </span>
        ))}
      </p>
    </>
  );
}

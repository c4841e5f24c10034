import { t } from '../../../shared/i18n/translate.ts';

export type NoticePageProps = { title: string; message: string; onClose: () => void };

/** What a notification would say. */
export function NoticePage({ title, message, onClose }: NoticePageProps) {
  return (
    <main class="page">
      <header class="head">
        <img class="mark" src="/icon/96.png" alt="" />
        <h1>{title}</h1>
      </header>
      <p class="notice-text">{message}</p>
      <div class="buttons">
        <button type="button" class="button" onClick={onClose}>
          {t('close')}
        </button>
      </div>
    </main>
  );
}

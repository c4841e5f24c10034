import { type ComponentChild, render } from 'preact';
import { type PlainKey, translateDocument } from '../../shared/i18n/translate.ts';
import { ErrorBoundary } from '../../shared/ui/FailureNote.tsx';
import { keepTranslatedTexts } from '../../shared/ui/keep-translated-texts.ts';
import { showDirectionMarks } from '../../shared/ui/show-direction-marks.ts';

/** Prepares the document of a page in a tab. @returns a function that renders the page */
export function startPage(title: PlainKey): (page: ComponentChild) => void {
  keepTranslatedTexts(document.body);
  showDirectionMarks();
  translateDocument(title);
  const app = document.getElementById('app') as HTMLElement;
  return (page) => render(<ErrorBoundary>{page}</ErrorBoundary>, app);
}

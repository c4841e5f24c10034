import { type LinkForm, newForm } from '../../../../shared/ui/link-form/link-form.ts';
import type { Settings } from '../../../messaging/protocol.ts';
import type { Subject } from '../state/popup-model.ts';

/** Creates the form of a new link. It has no title of the page if the settings say that titles stay here. */
export function newLinkForm({ url, title }: Subject, settings: Settings | undefined): LinkForm {
  return newForm({ url, title: settings?.sendTitles ? title : '' });
}

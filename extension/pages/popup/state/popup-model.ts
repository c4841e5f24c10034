import type { Limits } from '../../../../shared/client.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { EditRequest } from '../../../../shared/links/edit-request.ts';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../../shared/links/shorten-request.ts';
import type { Marked } from '../../../../shared/ui/link-form/form-issues.ts';
import type { FormIssues, LinkForm } from '../../../../shared/ui/link-form/link-form.ts';
import type { FormDraft } from '../../../links/form-schema.ts';
import type { PageLink, SavedLink } from '../../../links/link.ts';
import type {
  CreatedLink,
  DomainChoices,
  Failure,
  LinkReference,
  QueuedRequest,
  QueuedRetry,
  Reply,
  Result,
  Settings,
  ShortenTarget,
} from '../../../messaging/protocol.ts';

/** Everything that the popup knows. Only `transition` makes another one. */
export type Model = {
  view: View;
  isForOptions: boolean;
  /** The tab that the popup was opened on; undefined until the browser has answered. */
  tab: TabPage | undefined;
  /** The tab's page. Typing another URL doesn't change it. */
  pageSubject: Subject;
  /** What the popup shortens: the tab's page, or the URL that the user entered. */
  subject: Subject;
  /** The subject's links, newest first, including those created since the popup was opened. */
  links: LinkRecord[];
  /** Undefined until the background has answered. */
  settings: Settings | undefined;
  /** Undefined if there is no choice. */
  domains: DomainChoices | undefined;
  showLoopbackNotice: boolean;
  /** From the last response. */
  limits: Limits | undefined;
  /** The requests that wait for a server, oldest first. Empty until the queue has been read. */
  queued: QueuedRequest[];
  typedUrl: string;
  typedUrlFailure: Failure | undefined;
  /** The fields that the user changed. The others are those of the link that is shown, or empty. */
  changedFields: Partial<LinkForm>;
  issues: FormIssues;
  formFailure: Marked<Failure> | undefined;
  /** Whether the form's draft had a password, which the user hasn't entered again. */
  lacksPassword: boolean;
  /** Changes of the link that is shown, from a popup that closed before they were saved. */
  keptDraft: FormDraft | undefined;
  /** Whether the options of the link that is shown are open. */
  isFormOpen: boolean;
  /** Whether the alias of the link that is shown is edited in place. */
  isAliasEdited: boolean;
  isSubmitting: boolean;
};

export type TabPage = {
  url: string | undefined;
  title: string;
  isPrivate: boolean;
  tabId?: number | undefined;
  isLoading?: boolean | undefined;
};

export type Subject = {
  url: string;
  title: string;
  /** The user typed or pasted the URL: it is not the tab's page. */
  isTyped?: true;
  /** Set once the background has analyzed the URL. */
  target?: ShortenTarget;
  /** The user chose to shorten it including the secret. */
  isSecretAccepted?: true;
};

/** What to do once the user has confirmed a secret, or wants to try again. */
export type Intent =
  /** Ask the background what to show for the tab's page. */
  | { do: 'start' }
  /** Create a plain link of the subject. */
  | { do: 'create'; reuseExisting: boolean }
  /** Create a link with these fields of the form. */
  | { do: 'submit'; fields: Partial<LinkForm> }
  | { do: 'show form' };

export type LinkView = {
  name: 'link';
  link: PageLink;
  isExisting: boolean;
  copy: 'not_asked' | 'done' | 'failed';
  isNotSaved: boolean;
  /** The page declares this short link itself; no server was involved. */
  isPagesOwn: boolean;
  /** Whether the window is private: its links are not in the list, which changes go through. */
  isPrivate: boolean;
  /** Absent if the account in use can't change the link. */
  reference?: LinkReference;
  /** What was changed last. Precedes the short URL. */
  notice?: LinkNotice;
};
export type LinkNotice = 'link_saved' | 'link_paused' | 'link_resumed';

/** A link that the account in use can change. */
export type OwnLink = LinkView & { link: LinkRecord; reference: LinkReference };

type SecretView = {
  name: 'secret';
  before: View;
  intent: Intent;
  /** Whether to continue with the form, whose fields a plain link would lack. */
  isForForm: boolean;
  /** Where "Cancel" leads; absent to close the popup. */
  back?: Pick<Model, 'view' | 'subject' | 'links'>;
};

/** Curt retries by itself; `intent` sends the request now. */
type QueuedView = {
  name: 'queued';
  failure: Failure & { queued: QueuedRetry };
  intent: Intent;
};

export type View =
  | { name: 'working' }
  /** Shows the options of a new link, and waits until they are submitted. */
  | { name: 'ready' }
  | LinkView
  /** The user has undone the creation of this link. */
  | { name: 'deleted'; link: LinkRecord; reference: LinkReference; requestedUrl: string }
  /** Nothing has been sent: the URL may contain a secret, and the user decides. */
  | SecretView
  | QueuedView
  | { name: 'failed'; failure: Failure };

export type ViewOf<N extends View['name']> = Extract<View, { name: N }>;

export function showsFailure({ view, typedUrlFailure }: Model): boolean {
  return view.name === 'failed' || view.name === 'queued' || typedUrlFailure !== undefined;
}

/** Whether the tab shows a page that can't have a short link, such as a browser page. */
export function isUnsupportedPage(view: View): boolean {
  return view.name === 'failed' && view.failure.code.startsWith('page_');
}

/** What the form has, if it can be sent. */
export type ReadForm = { ok: true; changes: EditRequest } | { ok: false; issues: FormIssues };
/** Why a form was rejected, at its fields. */
export type Rejection = { failure: Marked<Failure>; issues: FormIssues };
/** Why the link that is shown is edited. */
export type EditPurpose = 'form' | 'rename' | 'move' | 'pause' | 'resume';

/** What happens: what the user does, and what an effect has led to. */
export type Event =
  | { type: 'start'; request?: Promise<Reply<'startPopup'>> | undefined }
  | { type: 'opened'; tab: TabPage }
  | { type: 'started'; answer: Reply<'startPopup'> }
  | { type: 'loaded'; tab: TabPage; shown: View }
  | { type: 'try again' | 'retry' | 'go back' | 'accept secret' | 'remove secret' }
  | { type: 'use full url' | 'use tab url' | 'use new address' }
  | { type: 'type url'; text: string }
  | { type: 'shorten typed url' }
  | { type: 'url resolved'; effect: EffectOf<'resolve url'>; answer: Reply<'startUrl'> }
  | { type: 'created'; effect: EffectOf<'create'>; answer: Result<CreatedLink> }
  | { type: 'create another' | 'show options' | 'copy again' | 'toggle pause' | 'undo' | 'restore' }
  | { type: 'show existing'; link: LinkRecord }
  | { type: 'copied'; shown: LinkView; isCopied: boolean }
  | { type: 'choose domain'; host: string }
  | { type: 'open form' | 'continue draft' | 'discard draft' | 'leave form' | 'close form' }
  | { type: 'edit alias'; typed: string | undefined }
  | { type: 'change form'; changes: Partial<LinkForm> }
  | { type: 'submit form'; unreadable: FormIssues }
  | { type: 'form read'; effect: EffectOf<'read form'>; form: ReadForm }
  | {
      type: 'submitted';
      effect: EffectOf<'submit'>;
      answer: Result<CreatedLink>;
      rejection?: Rejection;
    }
  | {
      type: 'edited';
      effect: EffectOf<'edit'>;
      /** The link as it is now; absent if that is not known. */
      now?: SavedLink;
      rejection?: Rejection;
    }
  | { type: 'deleted'; effect: EffectOf<'delete'>; rejection?: Rejection }
  | { type: 'restored'; shown: View; restored?: SavedLink; rejection?: Rejection }
  | { type: 'limits read'; limits: Limits }
  | { type: 'queue changed' }
  | { type: 'queue read'; queued: QueuedRequest[] }
  | { type: 'settled'; id: string; answer: Result<CreatedLink> }
  | { type: 'discard queued' }
  | { type: 'discarded'; shown: QueuedView; answer: Reply<'discardRequest'> }
  | { type: 'moved'; effect: EffectOf<'move server'>; answer: Reply<'moveServer'> };
export type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

/** What is to be done outside: messages to the background, the clipboard, code that is loaded on demand. */
export type Effect =
  | {
      do: 'start';
      tab: TabPage | undefined;
      /** If it was sent already. */
      request?: Promise<Reply<'startPopup'>> | undefined;
    }
  /** Waits until the tab's page has loaded. */
  | { do: 'wait for page'; tab: TabPage; shown: View }
  | {
      do: 'resolve url';
      text: string;
      keepTracking: boolean;
      /** Creates a link at once if the URL has none. */
      createsLink: boolean;
      /** Of the URL so far, of which this is another form; absent for a typed URL. */
      about?: Subject;
      working: View;
      before: View;
      intent: Intent;
    }
  | { do: 'create'; about: Subject; reuseExisting: boolean }
  | {
      do: 'read form';
      about: Subject;
      /** Absent for the form of a new link. */
      shown?: OwnLink | undefined;
      fields: Partial<LinkForm>;
      unreadable: FormIssues;
    }
  | { do: 'submit'; about: Subject; fields: Partial<LinkForm>; request: ShortenRequest }
  | { do: 'edit'; shown: OwnLink; purpose: EditPurpose; changes: EditRequest }
  | { do: 'delete'; shown: OwnLink; requestedUrl: string }
  | { do: 'restore'; shown: ViewOf<'deleted'> }
  | { do: 'copy'; shown: LinkView; text: string }
  | { do: 'empty clipboard' }
  /** Stores the form of the tab's page, or deletes it. */
  | { do: 'save draft'; draft: FormDraft | undefined }
  | { do: 'read limits' }
  | { do: 'read queue' }
  | { do: 'discard'; shown: QueuedView }
  | { do: 'move server'; from: string; to: string; shown: QueuedView; working: View };
export type EffectOf<D extends Effect['do']> = Extract<Effect, { do: D }>;

export type Step = { model: Model; effects: Effect[] };

export function newModel({ isForOptions = false }: { isForOptions?: boolean } = {}): Model {
  const subject = { url: '', title: '' };
  return {
    view: { name: isForOptions ? 'ready' : 'working' },
    isForOptions,
    tab: undefined,
    pageSubject: subject,
    subject,
    links: [],
    settings: undefined,
    domains: undefined,
    showLoopbackNotice: false,
    limits: undefined,
    queued: [],
    typedUrl: '',
    typedUrlFailure: undefined,
    changedFields: {},
    issues: {},
    formFailure: undefined,
    lacksPassword: false,
    keptDraft: undefined,
    isFormOpen: false,
    isAliasEdited: false,
    isSubmitting: false,
  };
}

/** Effects that are not needed may be left out. */
export function step(model: Model, ...effects: (Effect | false | undefined)[]): Step {
  return { model, effects: effects.filter((effect) => effect !== false && effect !== undefined) };
}

export function ownLink({ view }: Model): OwnLink | undefined {
  return view.name === 'link' && view.reference ? (view as OwnLink) : undefined;
}

/** Whether the popup still shows this link. */
export function isShown(model: Model, { link }: OwnLink): boolean {
  return ownLink(model)?.link.id === link.id;
}

export function hasChanges({ changedFields }: Model): boolean {
  return Object.keys(changedFields).length > 0;
}

export function toDraft({ changedFields, view, lacksPassword }: Model): FormDraft {
  const { password, ...fields } = changedFields;
  const hadPassword = lacksPassword || Boolean(password);
  const linkId = view.name === 'link' ? view.link.id : undefined;
  return { fields, ...(hadPassword && { hadPassword }), ...(linkId && { linkId }) };
}

export function clearForm(model: Model): Model {
  return {
    ...model,
    isFormOpen: false,
    isAliasEdited: false,
    changedFields: {},
    lacksPassword: false,
    issues: {},
    formFailure: undefined,
  };
}

/** Opens the form of the link that is shown, as it was when the popup closed. */
export function continueDraft(model: Model): Model {
  const { keptDraft } = model;
  if (!keptDraft) return model;
  return { ...restoreDraft({ ...model, keptDraft: undefined }, keptDraft), isFormOpen: true };
}

export function restoreDraft(model: Model, { fields, hadPassword }: FormDraft): Model {
  // Typed meanwhile, or before a second start.
  if (hasChanges(model)) return model;
  const restored = { ...model, changedFields: fields };
  if (!hadPassword) return restored;
  return { ...restored, lacksPassword: true, issues: { password: t('field_password_again') } };
}

import { browser } from 'wxt/browser';
import type { AccountAnswer } from '../../shared/account.ts';
import type { Failure as ClientFailure, Limits } from '../../shared/client.ts';
import type { ShortenRequest } from '../../shared/shorten-request.ts';
import type { FoundSecrets } from '../address/find-secrets.ts';
import type { UnsupportedReason } from '../address/unsupported-page.ts';
import type { CopyFormat } from '../links/copy-format.ts';

/** What the popup and the options page are shown of a link; its account's token is not for them. */
export type LinkSummary = {
  shortUrl: string;
  originalUrl: string;
  title: string;
  /** ISO 8601, UTC. */
  created: string;
  /** ISO 8601, UTC; null for never. */
  expiresAt: string | null;
  hasPassword: boolean;
  waitTimerSeconds: number;
  /** It loads a tag-manager container. */
  hasContainer?: true | undefined;
  /** From a file, which anybody may have written: it is shown, and never copied unasked. */
  isImported?: true | undefined;
};

/** A link in the list of all that were made here. */
export type ListedLink = LinkSummary & {
  /** Origin of the server that was asked for it. */
  serverOrigin: string;
  /** The address as it was asked for. */
  address: string;
};

export type LinkList = {
  /** Newest first. */
  links: ListedLink[];
  /** How many of the oldest were dropped to make room. */
  droppedCount: number;
  copyFormat: CopyFormat;
};

/** How the user wants it. */
export type Settings = {
  /** Origin of the server, as `http://localhost:2878`. */
  serverOrigin: string;
  /** Whether opening the popup makes the link, or a button in it. */
  shortenAtOnce: boolean;
  /** Whether the toolbar button shortens and copies by itself, and opens no popup. */
  skipPopup: boolean;
  /** Whether a short link goes to the clipboard by itself. */
  copyAtOnce: boolean;
  copyFormat: CopyFormat;
  /** Whether tracking parameters are taken out of an address before it is shortened. */
  stripTracking: boolean;
  /** Whether an address with what looks like a secret in it is sent only after a question. */
  warnAboutSecrets: boolean;
  /** Whether the address or short link that a page names as its own is used in place of the tab's. */
  preferCanonical: boolean;
};

/** Only what is given changes. */
export type SettingsChange = { [K in keyof Settings]?: Settings[K] | undefined };

export type FailureCode =
  | ClientFailure['code']
  | UnsupportedReason
  | 'selection_not_address'
  /** What was written by hand reads as no web address. */
  | 'text_not_address'
  /** Words in the address bar that are no web address and match no link. */
  | 'no_match'
  /** Something answers, but the browser hides what: another program, or a proxy's error page. */
  | 'unreadable_answer'
  /** It was not sent: the user has not been asked yet. */
  | 'address_has_secret'
  /** As many wishes wait for the server as are kept; this one was not sent. */
  | 'queue_full'
  /** There is no room left where the extension keeps its data; nothing was changed. */
  | 'storage_full'
  /** The background was asked, and neither answers nor ends. */
  | 'background_silent'
  /** The extension itself broke, or its worker could not be asked. */
  | 'extension_failed';

/** A wish that is tried again by itself. */
export type QueuedRetry = { id: string; retryAtMs: number };

/** A `ClientFailure` of the client, or one of the extension's own. */
export type Failure = Omit<ClientFailure, 'code' | 'message'> & {
  code: FailureCode;
  message?: string;
  queued?: QueuedRetry;
  /** Nothing answers, and no server ever has. */
  isFirstRun?: true;
};
export type Answer<T> = { ok: true; data: T } | Failure;

/** A link that was made is always given, also where no room is left to remember it. */
export type ShortenResult =
  | { ok: true; data: LinkSummary; notSaved?: FailureCode; limits?: Limits }
  | Failure;

/** What a link of an address is to lead to. */
export type ShortenTarget = {
  /** As the link will keep it. */
  address: string;
  /** As it was found or written, with its tracking parameters. */
  fullUrl: string;
  /** Names of the tracking parameters that were taken out. */
  removed: string[];
  /** What the user is asked about before the address is sent anywhere. */
  warning?: SecretWarning;
  /** What the tab shows, where the page names another address as its own. */
  tabUrl?: string;
  /** The site has a short link for the page, and no server need be asked for one. */
  siteShortLink?: LinkSummary;
};

export type SecretWarning = FoundSecrets & {
  /** The address cannot be shortened with it. */
  mustRemove: boolean;
};

/** What a popup is about that was not opened on a tab's page. */
export type PendingConfirmation = { id: string; url: string; title: string; isPrivate: boolean };

export type PopupStart = {
  settings: Settings;
  /** Absent where the page cannot be shortened. */
  plan?: ShortenTarget;
  /** The link that this page has already, and that is shown in place of a new one. */
  existing?: LinkSummary;
  /** All that this page has, newest first. */
  links?: LinkSummary[];
  /** Why the page cannot be shortened. */
  failure?: UnsupportedReason;
  /** The server's links work on this computer only, and the user has not been told so yet. */
  showLoopbackNotice?: true;
};

/** What a written address is about. */
export type AddressStart = {
  settings: Settings;
  plan: ShortenTarget;
  /** The link that it has already, and that is shown in place of a new one. */
  existing?: LinkSummary;
  /** All that it has, newest first. */
  links: LinkSummary[];
  showLoopbackNotice?: true;
};

/** A server for which there is a token. */
export type Account = {
  origin: string;
  /** Whether one is in use. */
  hasToken: boolean;
  /** When each of the former tokens gave way to another: ISO 8601, UTC, newest first. */
  replacedAt: string[];
};

/** Something that stands in storage and cannot be read. */
export type Quarantined = {
  /** Its key in storage. */
  id: string;
  /** Name of the item that it is or was. */
  item: string;
  reason: 'damaged' | 'newer';
};

export type StorageReport = {
  /** Null where the browser does not tell. */
  bytesUsed: number | null;
  quotaBytes: number | null;
  quarantined: Quarantined[];
};

/** A wish that waits for its server. */
export type QueuedRequest = QueuedRetry & {
  serverOrigin: string;
  address: string;
  failure: FailureCode;
};

export type ConnectionReport =
  | {
      outcome: 'connected';
      version: string;
      /** The server is of an older version than this extension. */
      isOlder: boolean;
      account?: AccountAnswer['data'];
    }
  | { outcome: 'token_unknown'; version: string; isOlder: boolean }
  | {
      outcome:
        | 'no_answer'
        | 'timed_out'
        | 'redirected'
        | 'gateway_error'
        | 'unreadable_answer'
        | 'not_curt'
        | 'error';
    };

/** The token of a server: that in use, or with `replacedAt` a former one. */
type TokenSelector = { origin: string; replacedAt?: string | undefined };

/** Sent to every open page when links were added or removed. */
export const LINKS_CHANGED = 'linksChanged';
export type LinksChanged = {
  kind: typeof LINKS_CHANGED;
  /** Of each address that is concerned, all links that it has now. */
  lists: { serverOrigin: string; address: string; links: ListedLink[] }[];
  /** Where it is another. */
  droppedCount?: number;
};
/** Sent to every open page while links of a file are stored. */
export const IMPORT_PROGRESS = 'importProgress';
export type ImportProgress = { kind: typeof IMPORT_PROGRESS; done: number; total: number };

/** Told to every open page when something else waits. */
export const QUEUE_CHANGED = 'queueChanged';
/** Told to every open page when a wish that waited has ended. */
export const REQUEST_SETTLED = 'requestSettled';
export type RequestSettled = { kind: typeof REQUEST_SETTLED; id: string; answer: ShortenResult };

/** All that the extension's pages may ask of the background. */
export type MessageMap = {
  startPopup: {
    payload: { url?: string | undefined; isPrivate: boolean; tabId?: number | undefined };
    answer: Answer<PopupStart>;
  };
  /** Reads what a person wrote or pasted; a refusal says what is wrong with the text. */
  startAddress: {
    payload: {
      text: string;
      isPrivate: boolean;
      /** The user wants the address as it is, with its tracking parameters. */
      keepTracking?: boolean | undefined;
    };
    answer: Answer<AddressStart>;
  };
  /** What a notification asked about; null when that is over. */
  readConfirmation: { payload: Record<string, never>; answer: Answer<PendingConfirmation | null> };
  /** It has been read, and is to be kept no longer. */
  clearConfirmation: { payload: Pick<PendingConfirmation, 'id'>; answer: Answer<true> };
  createLink: {
    payload: {
      request: ShortenRequest;
      isPrivate: boolean;
      /** What the link may be called when it is copied; the server is not told. */
      pageTitle: string;
      /** The user was asked about the secret in the address, and wants it shortened. */
      isSecretAccepted?: boolean | undefined;
      /** A plain link that was made for the address since it was looked up will do. */
      reuseExisting?: boolean | undefined;
      /** The popup that asks: where it is closed meanwhile, a notification says how it ended. */
      popupId?: string | undefined;
      /** Of this ask alone: sent twice, it makes one link. */
      requestId?: string | undefined;
    };
    answer: ShortenResult;
  };
  /** What is left of the minute's calls and the month's links; costs no call of the rate. */
  readLimits: { payload: { isPrivate: boolean }; answer: Answer<Limits> };
  /** What waits in the windows of a kind, oldest first. */
  readQueue: { payload: { isPrivate: boolean }; answer: Answer<QueuedRequest[]> };
  /** Tries a wish that waits; a notification tells of a link. */
  retryRequest: { payload: { id: string }; answer: ShortenResult };
  /** Gives a wish up. */
  discardRequest: { payload: { id: string }; answer: Answer<true> };
  readLinks: { payload: Record<string, never>; answer: Answer<LinkList> };
  /** Takes a link from the list alone: it goes on working. */
  removeLink: {
    payload: Pick<ListedLink, 'serverOrigin' | 'address' | 'shortUrl'>;
    answer: Answer<true>;
  };
  /** Puts back a link that was removed. */
  restoreLink: { payload: { link: ListedLink }; answer: Answer<true> };
  /** Adds what is not in the list yet, as far as there is room. */
  addLinks: {
    payload: { links: ListedLink[] };
    answer: Answer<{ added: number; known: number; outOfSpace: number }>;
  };
  readSettings: { payload: Record<string, never>; answer: Answer<Settings> };
  saveSettings: { payload: SettingsChange; answer: Answer<Settings> };
  testConnection: { payload: { origin: string }; answer: Answer<ConnectionReport> };
  /** Back to the defaults; all else stays. */
  resetSettings: { payload: Record<string, never>; answer: Answer<Settings> };
  listAccounts: { payload: Record<string, never>; answer: Answer<Account[]> };
  /** The one message whose answer holds the token: to be shown or copied on demand. */
  revealToken: { payload: TokenSelector; answer: Answer<string | null> };
  /** Keeps the token only if the server knows it, and the one before among the former. */
  replaceToken: { payload: { origin: string; token: string }; answer: Answer<true> };
  restoreToken: { payload: { origin: string; replacedAt: string }; answer: Answer<true> };
  removeToken: { payload: TokenSelector; answer: Answer<true> };
  readStorage: { payload: Record<string, never>; answer: Answer<StorageReport> };
  /** What could not be read, as text for a file. */
  readQuarantined: { payload: { id: string }; answer: Answer<string | null> };
  deleteQuarantined: { payload: { id: string }; answer: Answer<true> };
  /** Deletes all but the settings. */
  eraseData: { payload: Record<string, never>; answer: Answer<true> };
};
export type MessageKind = keyof MessageMap;
export type Payload<K extends MessageKind> = MessageMap[K]['payload'];
export type Reply<K extends MessageKind> = MessageMap[K]['answer'];

/** Longer than all calls together that the background may have to make for one answer. */
export const ANSWER_LIMIT_MS = 45_000;

/**
 * Asks the background. Never throws: a worker that cannot be asked is an answer too, and so is one
 * that hangs. One that is stopped before it answers is asked again; no message does anything twice.
 */
export async function send<K extends MessageKind>(kind: K, payload: Payload<K>): Promise<Reply<K>> {
  const silence = Promise.withResolvers<Reply<K>>();
  const timer = setTimeout(
    () => silence.resolve({ ok: false, code: 'background_silent' } as Reply<K>),
    ANSWER_LIMIT_MS,
  );
  try {
    return await Promise.race([sendTwice(kind, payload), silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
export type Send = typeof send;

async function sendTwice<K extends MessageKind>(kind: K, payload: Payload<K>): Promise<Reply<K>> {
  return (
    (await sendOnce(kind, payload)) ??
    (await sendOnce(kind, payload)) ??
    ({ ok: false, code: 'extension_failed' } as Reply<K>)
  );
}

async function sendOnce<K extends MessageKind>(
  kind: K,
  payload: Payload<K>,
): Promise<Reply<K> | undefined> {
  try {
    return await browser.runtime.sendMessage({ kind, payload });
  } catch {
    return undefined;
  }
}

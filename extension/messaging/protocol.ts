import type { z } from 'zod';
import type { AccountResponse } from '../../shared/accounts/account.ts';
import type {
  Failure as ClientFailure,
  Failed,
  Limits,
  Result as SharedResult,
} from '../../shared/client.ts';
import type { LinkRecord } from '../../shared/links/link-record.ts';
import type { LinkQuery } from '../../shared/links/list-query.ts';
import type { ShortenRequest } from '../../shared/links/shorten-request.ts';
import type { DomainChoice } from '../../shared/ui/DomainSelect.tsx';
import type { ListPage } from '../../shared/ui/links/link-source.ts';
import type { FormDraft } from '../links/form-schema.ts';
import type { PageLink, SavedLink, SiteLink } from '../links/link.ts';
import type { FoundSecrets } from '../urls/find-secrets.ts';
import type { NoCurt } from '../urls/server-origin.ts';
import type { CalledEndpoint, EndpointData, EndpointPayload } from './endpoint-messages.ts';
import type { settingsSchema } from './settings-schema.ts';

/** A page of a list of links; while their server is away, the saved ones. */
export type ListPageOrSaved = Omit<ListPage, 'links'> & {
  links: SavedLink[];
  /** Why these are the saved links instead of the server's. */
  failure?: Failure;
};

/** Selects an entry of the list. */
export type LinkReference = Pick<SavedLink, 'serverOrigin' | 'shortUrl'>;

export type Settings = z.output<typeof settingsSchema>;

/** What the organization's policy says. Its values are part of the settings. */
export type Policy = {
  /** The settings that it fixes. */
  fixed: (keyof Settings)[];
  /** Names in it that are unknown or whose value is not valid. They are ignored. */
  invalid: string[];
};

/** Omitted settings keep their value. */
export type SettingsChange = { [K in keyof Settings]?: Settings[K] | undefined };

/** Why a page cannot be shortened. Each reason has its own message. */
export type UnsupportedReason =
  | 'page_without_url'
  /** The tab shows nothing yet. */
  | 'page_is_loading'
  /** It does by now, but browsers tell its URL only after a click. */
  | 'page_has_loaded'
  | 'page_of_browser'
  | 'page_of_extension'
  | 'page_is_file'
  | 'page_is_short_domain'
  | 'page_url_too_long'
  | 'page_url_invalid';

export type FailureCode =
  | ClientFailure['code']
  | UnsupportedReason
  | 'selection_without_url'
  /** The typed text is not a URL. */
  | 'text_not_url'
  /** The text in the address bar is not a URL and matches no link. */
  | 'no_match'
  /** Something responds, but CORS hides the response: another program, or a proxy's error page. */
  | 'unreadable_answer'
  /** A server that is not the one that another address led to. */
  | 'other_server'
  /** Nothing was sent: the user has not confirmed the URL yet. */
  | 'url_has_secret'
  /** The queue for this server is full. This request was not sent. */
  | 'queue_full'
  /** The browser could not write to its storage, such as on a full disk. Nothing was changed. */
  | 'storage_failed'
  /** The background did not respond in time. */
  | 'background_silent'
  /** An error in the extension itself, or its worker could not be reached. */
  | 'extension_failed';

/** A request in the queue, which is retried automatically. */
export type QueuedRetry = { id: string; retryAtMs: number };

/** A failure of the API client, or of the extension itself. */
export type Failure = Failed<FailureCode> & {
  queued?: QueuedRetry;
  /** The server does not respond, and no server ever has. */
  isFirstRun?: true;
  /** Where the same server is now. */
  movedTo?: string;
};
/** What every message and every call returns. */
export type Result<T> = SharedResult<T, Failure>;

/** Returns the answer to a message that only asks for a task, once it is done. */
export async function done(task: Promise<unknown>): Promise<{ ok: true; data: true }> {
  await task;
  return { ok: true, data: true };
}

/** A new link, which is answered even if it could not be saved, or one that was there before. */
export type CreatedLink<L = LinkRecord> = L & {
  /** Whether it was there before: undoing the request must not delete it. */
  isExisting?: true;
  notSaved?: FailureCode;
};

/** The URL to shorten, and what was changed to get it. */
export type ShortenTarget = {
  /** The URL to send to the server. */
  url: string;
  /** The URL as found or typed, with its tracking parameters, or in the link that wraps it. */
  fullUrl: string;
  /** Names of the removed tracking parameters. */
  removed: string[];
  /** The host of the link that the URL was in, such as one of a mail filter. */
  unwrappedFrom?: string;
  /** Secrets that the user must confirm before the URL is sent anywhere. */
  warning?: SecretWarning;
  /** The tab's URL, if the canonical URL replaced it. */
  tabUrl?: string;
  /** Whether the page could not be asked for its canonical URL. */
  canonicalUnread?: boolean;
  /** The site's own short link for the page, which needs no request. */
  siteShortLink?: SiteLink;
};

export type SecretWarning = FoundSecrets & {
  /** Whether the URL can only be shortened without the secret. */
  mustRemove: boolean;
};

/** A URL that a notification asked the user to confirm. */
export type PendingConfirmation = { id: string; url: string; title: string; isPrivate: boolean };

/** What to show first for a URL that was opened or typed. */
export type FirstStep =
  | {
      step: 'showLink';
      link: PageLink;
      /** The site's own short link, not one of the user's links. */
      isSiteOwn?: true;
    }
  /** Ask the user about the secret in `target.warning`. */
  | { step: 'confirmSecret' }
  /** The link was created, or its request failed. */
  | { step: 'showResult'; result: Result<CreatedLink> }
  /** Wait until the user clicks a button. */
  | { step: 'wait' };

/** The domains of short URLs that the account can use on a server: several, the server's default first. */
export type DomainChoices = {
  domains: DomainChoice[];
  /** The host of new links. */
  chosen: string;
};

/** A URL to shorten, resolved. */
export type UrlStart = {
  settings: Settings;
  /** Absent if there is no choice. */
  domains?: DomainChoices | undefined;
  target: ShortenTarget;
  /** All links of the URL, newest first. */
  links: LinkRecord[];
  first: FirstStep;
  /** The server's links work on this computer only, and the user has not seen that notice yet. */
  showLoopbackNotice?: true;
};

/** The page of a tab, resolved, or the reason why it cannot be shortened. */
export type PopupStart =
  | (UrlStart & {
      /** The tab's half-written form. */
      draft?: FormDraft;
    })
  | { settings: Settings; failure: UnsupportedReason };

/** A server with saved tokens. */
export type ServerTokens = {
  origin: string;
  /** Whether a token is in use. */
  hasToken: boolean;
  /** When each previous token was replaced: ISO 8601, UTC, newest first. */
  replacedAt: string[];
};

/** A stored value that cannot be read. */
export type Quarantined = {
  /** Storage key. */
  id: string;
  /** Name of the item that the value belongs to. */
  item: string;
  reason: 'damaged' | 'newer';
};

/** A queued request, as the pages show it. */
export type QueuedRequest = QueuedRetry & {
  serverOrigin: string;
  url: string;
  failure: FailureCode;
};

export type ConnectionReport =
  | {
      outcome: 'connected';
      version: string;
      /** What its short URLs start with, if that is another host. */
      shortUrls?: string;
      account?: AccountResponse['data'];
      /** An address of the same server, which still has tokens, links or requests. */
      movedFrom?: string;
    }
  | { outcome: 'token_unknown'; version: string }
  | {
      outcome: NoCurt | 'error';
      /** Curt answers there. */
      httpOrigin?: string;
      /** Where the same server is now. */
      movedTo?: string;
    };

/** Selects the token in use, or with `replacedAt` a previous one. */
type TokenSelector = { origin: string; replacedAt?: string | undefined };

/** What the background needs to create a link at once. */
type StartContext = {
  /** The link's private title, if the settings say so, and the title to use when it is copied. */
  pageTitle?: string | undefined;
  /** The popup that sent the message. If it is closed by then, a notification shows the result. */
  popupId?: string | undefined;
  /** Identifies this message: sending it twice creates one link. */
  requestId?: string | undefined;
};

/** The messages that the extension's pages send to the background: its own, and one for each endpoint. */
export type MessageMap = OwnMessages & {
  [N in CalledEndpoint]: { payload: EndpointPayload<N>; answer: Result<EndpointData<N>> };
};
type OwnMessages = {
  startPopup: {
    payload: {
      url?: string | undefined;
      isPrivate: boolean;
      tabId?: number | undefined;
      /** Whether the tab is still loading. */
      isLoading?: boolean | undefined;
      /** Whether the popup was opened with its form. */
      isForOptions?: boolean | undefined;
      /** The host that was chosen in the popup. */
      domain?: string | undefined;
    } & StartContext;
    answer: Result<PopupStart>;
  };
  /** Keeps a half-written form until its link is created, the tab shows another page, or it closes. */
  saveDraft: {
    payload: {
      tabId: number;
      /** The URL of the tab's page. */
      url: string;
      /** Absent to delete it. */
      draft?: FormDraft | undefined;
    };
    answer: Result<true>;
  };
  /** Resolves typed or pasted text, and creates its link. Fails with the reason if the text is not a URL. */
  startUrl: {
    payload: {
      text: string;
      isPrivate: boolean;
      /** Leaves tracking parameters in place. */
      keepTracking?: boolean | undefined;
      /** Creates a link at once if the URL has none. */
      createsLink?: boolean | undefined;
      /** The host that was chosen in the popup. */
      domain?: string | undefined;
    } & StartContext;
    answer: Result<UrlStart>;
  };
  /** The URL that a notification asked to confirm; null if there is none. */
  readConfirmation: { payload: Record<string, never>; answer: Result<PendingConfirmation | null> };
  /** Deletes the pending confirmation once the popup has it. */
  clearConfirmation: { payload: Pick<PendingConfirmation, 'id'>; answer: Result<true> };
  createLink: {
    payload: {
      request: ShortenRequest;
      isPrivate: boolean;
      /** The user confirmed the secret in the URL. */
      isSecretAccepted?: boolean | undefined;
      /** Whether the request has all that the user wants, and no title is added. */
      isFromForm?: boolean | undefined;
      /** Returns an existing plain link of the URL instead of creating another. */
      reuseExisting?: boolean | undefined;
      /** The tab whose form this request comes from. Its draft is deleted. */
      draftTabId?: number | undefined;
    } & StartContext;
    answer: Result<CreatedLink>;
  };
  /** The remaining requests and links. Does not count against the rate limit. */
  readLimits: { payload: { isPrivate: boolean }; answer: Result<Limits> };
  /** The queued requests of private or normal windows, oldest first. */
  readQueue: { payload: { isPrivate: boolean }; answer: Result<QueuedRequest[]> };
  /** Retries a queued request now. A notification shows the link. */
  retryRequest: { payload: { id: string }; answer: Result<CreatedLink> };
  /** Removes a request from the queue. */
  discardRequest: { payload: { id: string }; answer: Result<true> };
  /** A page of an account's links. While its server is away, the saved ones. */
  readLinks: {
    payload: { serverOrigin: string; query: LinkQuery; cursor?: string | undefined };
    answer: Result<ListPageOrSaved>;
  };
  /** The domains of a server; null if there is no choice. Read again, or as far as they are known. */
  readDomains: {
    payload: { serverOrigin: string; isFresh?: boolean | undefined };
    answer: Result<DomainChoices | null>;
  };
  /** Remembers the domain of a server's new links. */
  chooseDomain: { payload: { serverOrigin: string; domain: string }; answer: Result<true> };
  readSettings: { payload: Record<string, never>; answer: Result<Settings> };
  readPolicy: { payload: Record<string, never>; answer: Result<Policy> };
  saveSettings: { payload: SettingsChange; answer: Result<Settings> };
  testConnection: { payload: { origin: string }; answer: Result<ConnectionReport> };
  /** Takes along what is stored for a server to another address of it, and uses that one. */
  moveServer: { payload: { from: string; to: string }; answer: Result<Settings> };
  listServers: { payload: Record<string, never>; answer: Result<ServerTokens[]> };
  /** The only message that returns a token, for the user to view or copy. */
  revealToken: { payload: TokenSelector; answer: Result<string | null> };
  /** Saves the token if the server recognizes it. The one it replaces becomes a previous token. */
  replaceToken: { payload: { origin: string; token: string }; answer: Result<true> };
  restoreToken: { payload: { origin: string; replacedAt: string }; answer: Result<true> };
  removeToken: { payload: TokenSelector; answer: Result<true> };
  listQuarantined: { payload: Record<string, never>; answer: Result<Quarantined[]> };
  /** The quarantined value as text, to download. */
  readQuarantined: { payload: { id: string }; answer: Result<string | null> };
  deleteQuarantined: { payload: { id: string }; answer: Result<true> };
  /** Deletes everything except the settings. */
  eraseData: { payload: Record<string, never>; answer: Result<true> };
};
export type MessageKind = keyof MessageMap;
export type Payload<K extends MessageKind> = MessageMap[K]['payload'];
export type Reply<K extends MessageKind> = MessageMap[K]['answer'];
/** What the background does for each message. */
export type Handlers = { [K in MessageKind]: (payload: Payload<K>) => Promise<Reply<K>> };

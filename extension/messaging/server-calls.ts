import type { Input, Output } from '../../shared/api/client.ts';
import type { ENDPOINTS } from '../../shared/api/endpoints.ts';
import type { ImportOptions } from '../../shared/client/link-methods.ts';
import type { SavedLink } from '../links/link.ts';

/** The endpoints that pages call, by way of the background. */
export type CallName =
  | 'changeLinks'
  | 'deleteLink'
  | 'editLink'
  | 'exportLinks'
  | 'getHealth'
  | 'getImport'
  | 'getLinkStatistics'
  | 'getStatistics'
  | 'importLinks'
  | 'listTags'
  | 'restoreLink'
  | 'stopImport';

/** What the background adds: who calls, and the alias of the link that the call is about. */
type Added = 'token' | 'alias' | 'domain';
type WithoutAdded<N extends CallName, I> = N extends 'changeLinks' | 'exportLinks'
  ? Omit<I, 'token'>
  : Omit<I, Added>;

/** What the table of endpoints says a request has. */
export type CallInput<N extends CallName> = N extends 'importLinks'
  ? ImportOptions & {
      /** In Base64, because messages carry text only. */
      file: string;
    }
  : WithoutAdded<N, Input<(typeof ENDPOINTS)[N]>>;

/** What the table of endpoints says is answered. Links are those that are saved, and files are text. */
export type CallOutput<N extends CallName> = N extends 'editLink' | 'restoreLink'
  ? SavedLink
  : N extends 'exportLinks'
    ? string
    : Output<(typeof ENDPOINTS)[N]>;

/** What a call is about. */
export type CallSubject = {
  /** The link of the call. As it was listed, if it may not be saved. */
  link?: Pick<SavedLink, 'serverOrigin' | 'shortUrl'> | SavedLink | undefined;
  /** The tab whose form the call comes from. Its draft is deleted. */
  draftTabId?: number | undefined;
};

export type ServerCall<N extends CallName = CallName> = CallSubject & {
  serverOrigin: string;
  name: N;
  input: CallInput<N>;
};

/** Calls that take as long as a file of all links. */
export const FILE_CALLS: readonly CallName[] = ['exportLinks', 'importLinks'];

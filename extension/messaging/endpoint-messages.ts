import type { Input, Output } from '../../shared/api/client.ts';
import type { ENDPOINTS } from '../../shared/api/endpoints.ts';
import type { ImportQuery } from '../../shared/links/transfer.ts';
import type { SavedLink } from '../links/link.ts';

/** The endpoints that pages call with a message of the same name. The background adds the sign-in key. */
export type CalledEndpoint =
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

type InputOf<N extends CalledEndpoint> = N extends 'importLinks'
  ? Partial<ImportQuery> & {
      /** In Base64, because messages carry text only. */
      file: string;
    }
  : Input<(typeof ENDPOINTS)[N]>;

/** Says which link, in place of its alias. As it was listed, if it may not be saved. */
type AboutLink<I> = Omit<I, 'token' | 'alias' | 'domain'> & {
  link: Pick<SavedLink, 'serverOrigin' | 'shortUrl'> | SavedLink;
};
type AboutAccount<I> = Omit<I, 'token'> & { serverOrigin: string };

/** What the table of endpoints says a request has, and whom it is about. */
export type EndpointPayload<N extends CalledEndpoint> =
  InputOf<N> extends { alias: string }
    ? AboutLink<InputOf<N>> & (N extends 'editLink' ? OfForm : unknown)
    : AboutAccount<InputOf<N>>;

type OfForm = {
  /** The tab whose form the edit comes from. Its draft is deleted. */
  draftTabId?: number | undefined;
};

/** What the table of endpoints says is answered. Links are those that are saved, and files are text. */
export type EndpointData<N extends CalledEndpoint> = N extends 'editLink' | 'restoreLink'
  ? SavedLink
  : N extends 'exportLinks'
    ? string
    : Output<(typeof ENDPOINTS)[N]>;

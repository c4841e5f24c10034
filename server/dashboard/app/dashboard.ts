import type { Api } from '../api/api.ts';
import type { Session } from '../session/session.ts';
import type { SignInState } from '../session/sign-in-state.ts';
import type { Router } from './router.ts';

/** What the pages of the dashboard are given. */
export type Dashboard = {
  session: Session;
  api: Api;
  router: Router;
  signIn: SignInState;
  /** The origin of this server. */
  origin: string;
};

export type PageProps = { dashboard: Dashboard };

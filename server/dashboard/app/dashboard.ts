import type { Api } from '../api/api.ts';
import type { Session } from '../session/session.ts';
import type { SignIn } from '../session/sign-in.ts';
import type { Router } from './router.ts';

/** What the pages of the dashboard are given. */
export type Dashboard = {
  session: Session;
  api: Api;
  router: Router;
  signIn: SignIn;
  /** The origin of this server. */
  origin: string;
};

export type PageProps = { dashboard: Dashboard };

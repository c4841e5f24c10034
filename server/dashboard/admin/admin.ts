import type { Router } from '../app/router.ts';
import type { Session } from '../session/session.ts';
import type { AdminApi } from './api/admin-api.ts';
import type { AdminSignInState } from './session/AdminSignIn.tsx';

/** What the administrator's pages are given. */
export type Admin = {
  session: Session;
  api: AdminApi;
  router: Router;
  signIn: AdminSignInState;
  /** The origin of this server. */
  origin: string;
};

export type AdminPageProps = { admin: Admin };

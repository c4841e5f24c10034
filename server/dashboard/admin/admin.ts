import type { Router } from '../app/router.ts';
import type { AdminApi } from './api/admin-api.ts';
import type { AdminSession } from './session/admin-session.ts';
import type { AdminSignInState } from './session/admin-sign-in.ts';

/** What the administrator's pages are given. */
export type Admin = {
  session: AdminSession;
  api: AdminApi;
  router: Router;
  signIn: AdminSignInState;
  /** The origin of this server. */
  origin: string;
};

export type AdminPageProps = { admin: Admin };

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../config.ts';
import type { Shortener } from '../links/create-link.ts';
import type { ChangeLinksDependencies } from '../links/manage/change-links.ts';
import type { EditLinkDependencies } from '../links/manage/edit-link.ts';
import type { RecordDependencies } from '../links/to-link-record.ts';
import type { Action, KeyCall, KeyDependencies } from './key-call.ts';

export type ShlinkDependencies = KeyDependencies &
  EditLinkDependencies &
  RecordDependencies &
  ChangeLinksDependencies & { settings: Pick<Settings, 'corsOrigins'>; shorten: Shortener };

/** Accepts a request by its key. @param key instead of the header's; null if there is none */
export type Sign = (
  request: FastifyRequest,
  reply: FastifyReply,
  action: Action,
  key?: string | null,
) => Promise<KeyCall>;

import { z } from 'zod';
import { pageOf, pageParameters } from '../schemas.ts';

/** The actions that this version writes. A log may have others, from another version. */
export type AuditAction =
  | 'account.create'
  | 'account.edit'
  | 'account.export'
  | 'account.reassign'
  | 'token.create'
  | 'token.revoke'
  | 'block.add'
  | 'block.remove'
  | 'report.dismiss'
  | 'domain.add'
  | 'domain.edit'
  | 'domain.remove';

/** What an administrator did. */
const auditEntrySchema = z
  .object({
    time: z.iso.datetime().describe('When, in UTC.'),
    action: z.string().describe('What was done, such as `account.create`.'),
    target: z
      .string()
      .describe(
        'ID of the account, what was blocked, such as `host example.com`, or the host of a domain.',
      ),
    details: z.record(z.string(), z.unknown()).describe('What was sent, without tokens.'),
    by: z
      .string()
      .optional()
      .describe('Who did it, of `ADMIN_IDENTITIES`. Missing: somebody with `ADMIN_TOKEN`.'),
    failed: z
      .string()
      .optional()
      .describe('The error code, if the action of an earlier entry failed.'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.output<typeof auditEntrySchema>;

/** The query of `GET /api/admin/audit`. */
export const auditQuerySchema = z.strictObject(pageParameters('entries'));

/** The 200 of `GET /api/admin/audit`. */
export const auditResponseSchema = pageOf(auditEntrySchema, 'Newest first.').extend({
  damagedLines: z
    .int()
    .describe(
      'Lines of the audit log, on this page, that were changed or cut off; they are left out.',
    ),
});

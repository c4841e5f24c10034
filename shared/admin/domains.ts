import { z } from 'zod';
import {
  BRAND_NAME_MAX_CHARACTERS,
  DOMAIN_ACCOUNTS_MAX,
  DOMAIN_LOGO_MAX_CHARACTERS,
  DOMAIN_MAX_CHARACTERS,
} from '../bounds.ts';
import { webUrlSchema } from '../links/target-schemas.ts';
import { envelope, flag, nameOf, oneOf, readOnlyFields, textLine } from '../schemas.ts';

const SCHEMES = ['http', 'https'] as const;

const brand = () =>
  z
    .strictObject({
      name: textLine(BRAND_NAME_MAX_CHARACTERS)
        .nullable()
        .default(null)
        .describe(`Name on the pages: 1 to ${BRAND_NAME_MAX_CHARACTERS} characters.`),
      logo: z
        .string()
        .max(DOMAIN_LOGO_MAX_CHARACTERS, 'The image is too large: at most 36 KiB.')
        .regex(
          /^data:image\/(svg\+xml|png);base64,[A-Za-z0-9+/]+={0,2}$/,
          'Must be an SVG or PNG picture as a data: URL in Base64.',
        )
        .nullable()
        .default(null)
        .describe('Logo and icon: an SVG or PNG picture up to 36 KiB, as a `data:` URL in Base64.'),
      color: z
        .string()
        .regex(
          /^#[\dA-Fa-f]{6}(,#[\dA-Fa-f]{6})?$/,
          'Must be a color such as #0b6b57, or one for light and one for dark pages: #0b6b57,#6fd6b8.',
        )
        .toLowerCase()
        .nullable()
        .default(null)
        .describe(
          'Color such as `#0b6b57`, or one for light and one for dark pages, separated by a comma.',
        ),
    })
    .nullable()
    .optional()
    .describe("How the domain's pages look; what is null is as on the server's own pages.");

const url = (description: string) => webUrlSchema.nullable().optional().describe(description);

const settings = {
  scheme: z
    .enum(SCHEMES, 'Must be "http" or "https".')
    .nullable()
    .optional()
    .describe('`http` or `https`; null for that of the server.'),
  brand: brand(),
  rootUrl: url('Where `/` leads, or null for a plain page.'),
  notFoundUrl: url('Where aliases lead that nobody has used, or null for the 404 page.'),
  goneUrl: url('Where links lead that have expired, for example, or null for the 410 page.'),
  accounts: z
    .union(
      [
        z.literal('all'),
        z
          .array(nameOf('ID of an account.'))
          .max(DOMAIN_ACCOUNTS_MAX, `Must be at most ${DOMAIN_ACCOUNTS_MAX} accounts.`),
      ],
      'Must be "all" or a list of account IDs.',
    )
    .optional()
    .describe('The accounts that may create links on the domain: `all`, or a list of IDs.'),
};

/** The body of `POST /api/admin/domains`. */
export const newDomainRequestSchema = z.strictObject({
  host: z
    .string()
    .max(DOMAIN_MAX_CHARACTERS, `Must have at most ${DOMAIN_MAX_CHARACTERS} characters.`)
    .describe('Host, with its port unless that is a standard one, such as `go.example`.'),
  ...settings,
});

export const domainParamsSchema = z.object({
  host: z.string().describe('Host of the domain, such as `go.example`.'),
});

/** A domain, as the administrator sees it. */
const adminDomainSchema = z
  .object({
    host: z.string().describe('Host in ASCII, with its port unless that is a standard one.'),
    displayHost: z.string().describe('The host as people read it, such as `bücher.example`.'),
    baseUrl: z.string().describe('What its short URLs begin with, such as `https://go.example`.'),
    isDefault: z.boolean().describe('Whether it is that of `BASE_URL`, which is always there.'),
    scheme: oneOf(SCHEMES, null).nullable().describe('Null: that of the server.'),
    brand: z
      .object({
        name: z.string().nullable().describe('Name on the pages.'),
        logo: z.string().nullable().describe('Logo, as a `data:` URL.'),
        color: z.string().nullable().describe('Color, or one for light and one for dark pages.'),
      })
      .nullable()
      .describe("How the domain's pages look; what is null is as on the server's own pages."),
    rootUrl: z.string().nullable().describe('Where `/` leads, or null.'),
    notFoundUrl: z.string().nullable().describe('Where unknown aliases lead, or null.'),
    goneUrl: z.string().nullable().describe('Where links lead that are gone, or null.'),
    accounts: z
      .union([oneOf(['all'], [] as string[]), z.array(z.string())])
      .describe('The accounts that may create links on the domain: `all`, or a list of IDs.'),
    created: z.iso
      .datetime()
      .nullable()
      .describe('When it was added, in UTC. Null for that of `BASE_URL`.'),
    removed: z.iso
      .datetime()
      .nullable()
      .describe(
        'When it was removed, in UTC: its links answer 410 until it is added again, as it was.',
      ),
  })
  .meta({ id: 'AdminDomain' });
export type AdminDomain = z.output<typeof adminDomainSchema>;

const readOnly = readOnlyFields(adminDomainSchema.shape, settings);

/** The body of `PATCH /api/admin/domains/:host`. */
export const editDomainRequestSchema = z.strictObject({ ...settings, ...readOnly });
export type EditDomainRequest = Omit<
  z.input<typeof editDomainRequestSchema>,
  keyof typeof readOnly
>;

/** The 200 of `GET /api/admin/domains`. */
export const adminDomainListResponseSchema = envelope(
  z.array(adminDomainSchema).describe('That of `BASE_URL` first, then by host; also removed ones.'),
);

/** The 200 of requests that return one domain. */
export const adminDomainResponseSchema = envelope(adminDomainSchema);

/** The query of `DELETE /api/admin/domains/:host`. */
export const removeDomainQuerySchema = z.strictObject({
  links: z
    .enum(['keep', 'move'], 'Must be "keep" or "move".')
    .optional()
    .describe(
      'What happens to its links: `keep` (they answer 410 until the domain is added again), or `move` to another domain. Without it, a domain with links is not removed.',
    ),
  to: z.string().optional().describe('With `links=move`: the host of the other domain.'),
  forget: flag(
    'If `true`, the domain is also forgotten, whether it was removed before or not, as if nobody had added it. Only without links and aliases.',
  ),
});
export type RemoveDomainQuery = z.output<typeof removeDomainQuerySchema>;

/** The 200 of `DELETE /api/admin/domains/:host`. */
export const removeDomainResponseSchema = envelope(
  z.object({
    isRemoved: z.boolean().describe('False: more links are to be moved. Repeat the request.'),
    moved: z.int().describe('Links that this request moved: at most 1,000.'),
    stayed: z
      .array(
        z.object({
          shortUrl: z.string().describe('Short URL of the link, which answers 410.'),
          code: oneOf(['alias_taken', 'link_blocked', 'too_many_aliases', 'not_found']).describe(
            'Why it could not be moved, as the error code of an edit.',
          ),
        }),
      )
      .describe('Links that could not be moved: the first 100 of them.'),
    stayedCount: z.int().describe('How many could not be moved.'),
  }),
);
export type RemoveDomainResponse = z.output<typeof removeDomainResponseSchema>;

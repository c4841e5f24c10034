import {
  type ParameterRemoval,
  parametersOf,
  removeParameters,
  splitUrl,
} from './query-parameters.ts';

/*
 * Parameters that only track clicks and never change the page. Parameters with another meaning on some
 * sites (`ref`, `source`, `cid`, `campaign`) do not belong here.
 *
 * Sources: the query filters of Brave (brave-core, components/query_filter/utils.cc) and Firefox
 * (remote settings, collection `query-stripping`), and the documentation of the services named below.
 * The list is our own because npm packages are unmaintained or rewrite the whole query.
 */
const TRACKING = new Set([
  // Google: Ads, Campaign Manager, Merchant Center, and the linker of Analytics
  ...['gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid'],
  ...['srsltid', '_ga', '_gl'],
  // Meta, Microsoft Advertising, X, TikTok, LinkedIn, Pinterest, Snapchat
  ...['fbclid', 'fb_action_ids', 'fb_action_types', 'fb_comment_id', 'igshid'],
  ...['msclkid', 'twclid', 'ttclid', 'li_fat_id', 'epik', 'sccid'],
  // Yandex, Openstat
  ...['yclid', 'ysclid', 'ymclid', '_openstat'],
  // Mailchimp, HubSpot, Marketo, MailerLite, Klaviyo, ActiveCampaign, Drip, beehiiv
  ...['mc_cid', 'mc_eid', '_hsenc', '_hsmi', '__hssc', '__hstc', '__hsfp', 'hsctatracking'],
  ...['mkt_tok', 'ml_subscriber', 'ml_subscriber_hash', '_kx', 'vgo_ee', '__s', '_bhlid'],
  // Vero, Wicked Reports, Adobe, CJ, impact.com, Rakuten, Piano, Branch, Bloomreach, Salesforce
  ...['vero_id', 'vero_conv', 'wickedid', 's_cid', 's_kwcid', 'cjevent', 'irclickid'],
  ...['rb_clickid', 'at_recipient_id', 'at_recipient_list', '_branch_match_id'],
  ...['_branch_referrer', 'bsft_clkid', 'bsft_uid', 'et_rid', 'ss_email_id'],
]);

/** All parameters with the prefixes of Google Analytics and Omeda; for Matomo, only the documented ones. */
const TRACKING_FAMILY =
  /^((utm|oly)_.+|(mtm|pk|piwik)_(source|medium|campaign|keyword|kwd|content|cid|group|placement))$/;

/** Parameters that track on these sites and their subdomains, but have another meaning elsewhere. */
const TRACKING_ON: [sites: string[], names: string[]][] = [
  [
    ['youtube.com', 'youtu.be'],
    ['si', 'feature', 'pp'],
  ],
  [
    ['twitter.com', 'x.com'],
    ['ref_src', 'ref_url', 's', 't'],
  ],
  [['instagram.com'], ['igsh']],
  [['threads.net', 'threads.com'], ['xmt']],
  [['spotify.com'], ['si']],
];

/** Newsletter pages and rewritten links, which depend on all parameters. */
const NEEDS_ALL_PARAMETERS = /unsubscribe|opt-?out|emailwebview|\/\/urldefense\.com\//i;
/** A signature may cover the whole query, so signed URLs are not changed. */
const SIGNATURE = /^(x-(amz|goog)-)?(sig|signature|hmac)$/i;

/** Removes tracking parameters from a URL. The rest stays unchanged byte for byte. */
export function stripTracking(url: string): ParameterRemoval {
  const { query } = splitUrl(url);
  const isUntouched =
    query === undefined ||
    NEEDS_ALL_PARAMETERS.test(url) ||
    parametersOf(query).some(({ name }) => SIGNATURE.test(name));
  if (isUntouched || !URL.canParse(url)) return { url, names: [] };
  const { hostname } = new URL(url);
  const onSite = TRACKING_ON.flatMap(([sites, names]) =>
    sites.some((site) => hostname === site || hostname.endsWith(`.${site}`)) ? names : [],
  );
  return removeParameters(url, (written) => {
    const name = written.toLowerCase();
    return TRACKING.has(name) || TRACKING_FAMILY.test(name) || onSite.includes(name);
  });
}

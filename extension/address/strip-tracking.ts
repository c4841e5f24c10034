import {
  type ParameterRemoval,
  parametersOf,
  removeParameters,
  splitAddress,
} from './query-parameters.ts';

/*
 * Parameters that tell who clicked where, and never change what a page shows. One that means
 * something else on some site (`ref`, `source`, `cid`, `campaign`) does not belong here.
 *
 * Sources: the query filters of two browsers, Brave (brave-core, components/query_filter/utils.cc)
 * and Firefox (remote settings, collection `query-stripping`), and the manuals of those who put the
 * parameters into addresses, named beside them. A list of our own, since npm's packages with one
 * are not maintained, or write the whole query anew.
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

/** Google Analytics and Omeda, whose families are theirs alone; and Matomo, whose prefixes are not. */
const TRACKING_FAMILY =
  /^((utm|oly)_.+|(mtm|pk|piwik)_(source|medium|campaign|keyword|kwd|content|cid|group|placement))$/;

/** Parameters that track on these sites and their subdomains, and mean something else elsewhere. */
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

/** Where what a page shows depends on who comes: a newsletter's own pages, and rewritten links. */
const NEEDS_ALL_PARAMETERS = /unsubscribe|opt-?out|emailwebview|\/\/urldefense\.com\//i;
/** A signature may cover the whole query: what is signed is left alone. */
const SIGNATURE = /^(x-(amz|goog)-)?(sig|signature|hmac)$/i;

/** The address without its tracking parameters, the rest byte for byte as it was. */
export function stripTracking(address: string): ParameterRemoval {
  const { query } = splitAddress(address);
  const isUntouched =
    query === undefined ||
    NEEDS_ALL_PARAMETERS.test(address) ||
    parametersOf(query).some(({ name }) => SIGNATURE.test(name));
  if (isUntouched || !URL.canParse(address)) return { address, names: [] };
  const { hostname } = new URL(address);
  const onSite = TRACKING_ON.flatMap(([sites, names]) =>
    sites.some((site) => hostname === site || hostname.endsWith(`.${site}`)) ? names : [],
  );
  return removeParameters(address, (written) => {
    const name = written.toLowerCase();
    return TRACKING.has(name) || TRACKING_FAMILY.test(name) || onSite.includes(name);
  });
}

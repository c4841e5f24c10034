/**
 * The address of "Report this link" on a page. A mail gets the link as its subject; another page has to
 * ask for it.
 *
 * @param reportUrl the setting `REPORT_URL`
 * @param path of the request, such as `/launch+`
 */
export function reportHref(reportUrl: string, path: string): string {
  if (!/^mailto:/i.test(reportUrl) || /[?&]subject=/i.test(reportUrl)) return reportUrl;
  const [, alias = ''] = /^\/([^/?+]*)/.exec(path) ?? [];
  const separator = reportUrl.includes('?') ? '&' : '?';
  return `${reportUrl}${separator}subject=${encodeURIComponent(`Report /${alias}`)}`;
}

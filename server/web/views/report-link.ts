import type { Template } from './render-template.ts';

export type Reporting = {
  /** Whether Curt has a form, see `server/routes/visit/report-form.ts`. */
  reports: boolean;
  reportUrl: string | undefined;
};

/** Pages that show where a link goes, or why it does not. */
const REPORTABLE: Template[] = ['preview', 'inspect', 'error'];

/**
 * The address of "Report this link" on a page, if it has one. A mail gets the link as its subject; another
 * page has to ask for it. The form is for links that go somewhere, so the pages of errors don't lead to it.
 *
 * @param path of the request, such as `/launch+`
 */
export function reportHref(
  template: Template,
  path: string,
  { reports, reportUrl }: Reporting,
): string | undefined {
  if (!REPORTABLE.includes(template)) return undefined;
  const [, alias = ''] = /^\/([^/?+]*)/.exec(path) ?? [];
  if (reports) return template === 'error' ? undefined : `/${alias}/report`;
  if (reportUrl === undefined) return undefined;
  if (!/^mailto:/i.test(reportUrl) || /[?&]subject=/i.test(reportUrl)) return reportUrl;
  const separator = reportUrl.includes('?') ? '&' : '?';
  return `${reportUrl}${separator}subject=${encodeURIComponent(`Report /${alias}`)}`;
}

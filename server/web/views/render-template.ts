import { Eta } from 'eta/core';
import { readShippedFile } from '../../lib/shipped-files.ts';

const PAGES = [
  'api-reference',
  'card',
  'created',
  'domain',
  'error',
  'home',
  'inspect',
  'password',
  'preview',
  'report-form',
] as const;
export type Template = (typeof PAGES)[number];

/** All templates, compiled at startup. */
const eta = new Eta({ autoEscape: true });
for (const name of ['layout', 'report', 'home-form', 'append', ...PAGES]) {
  eta.loadTemplate(
    `@${name}`,
    readShippedFile(`server/web/views/templates/${name}.eta`).toString(),
  );
}

/**
 * Renders a template of `server/web/views/templates/` to HTML. Templates escape all values.
 *
 * @param data available in the template as `it`
 */
export function renderTemplate(template: Template, data: object): string {
  return eta.render(`@${template}`, data);
}

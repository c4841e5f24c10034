import { Eta } from 'eta/core';
import { readShippedFile } from '../core/shipped-files.ts';

const PAGES = ['error', 'home', 'inspect', 'password', 'preview'] as const;
export type Template = (typeof PAGES)[number];

/** Holds all templates, compiled at start. */
const eta = new Eta({ autoEscape: true });
for (const name of ['layout', ...PAGES]) {
  eta.loadTemplate(`@${name}`, readShippedFile(`server/pages/templates/${name}.eta`).toString());
}

/**
 * The HTML of a page of `server/pages/templates/`, which escape all that they are given.
 *
 * @param data what the template reads as `it`
 */
export function renderTemplate(template: Template, data: object): string {
  return eta.render(`@${template}`, data);
}

import type { FastifyReply } from 'fastify';

/** What an action answers: its fields in JSON and XML, and the text of `format=simple`. */
export type Output = { status: number; fields: Fields; simple: string };
type Fields = { [name: string]: string | number | Fields };

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
]);
/** What XML 1.0 can't have, not even as a reference. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Sends an answer as YOURLS does: XML is the default, and each unknown format is text. */
export function sendOutput(
  reply: FastifyReply,
  format: string | undefined,
  { status, fields, simple }: Output,
): FastifyReply {
  reply.code(status).header('cache-control', 'no-store');
  switch (format) {
    case 'json':
      return reply.type('application/json; charset=utf-8').send(fields);
    case undefined:
    case 'xml': {
      const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<root>${toXml(fields)}</root>\n`;
      return reply.type('application/xml; charset=utf-8').send(xml);
    }
    default:
      return reply.type('text/plain; charset=utf-8').send(simple);
  }
}

/** Names are constants of this API, so only values are escaped. */
function toXml(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => {
      const content = typeof value === 'object' ? toXml(value) : escapeXml(String(value));
      return `<${name}>${content}</${name}>`;
    })
    .join('');
}

function escapeXml(text: string): string {
  return text
    .replace(NOT_XML, '')
    .replace(/[&<>]/g, (character) => ENTITIES.get(character) ?? character);
}

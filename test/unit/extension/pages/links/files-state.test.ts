import { expect, test } from 'vitest';
import type { Send } from '../../../../../extension/messaging/protocol.ts';
import { createFilesState } from '../../../../../extension/pages/links/files/files-state.ts';
import { speak } from '../../support/speak.ts';

const CSV = 'url,title\nhttps://example.com/,Café\n';

const NOT_UTF8 = 'The file isn’t encoded in UTF-8. Save or export it as UTF-8.';

test.each<[encoding: BufferEncoding, sent: string[], outcome: object]>([
  ['utf8', [CSV], { name: 'imported' }],
  ['latin1', [], { name: 'failed', text: NOT_UTF8 }],
])('of a file in %s, no character is replaced', async (encoding, expected, outcome) => {
  speak('en');
  const sent: string[] = [];
  const state = createFilesState({
    send: (async (_: string, { file }: { file: string }) => {
      sent.push(file);
      return { ok: true, data: {} };
    }) as unknown as Send,
    serverOrigin: 'https://curt.example',
    saveFile() {},
    now: () => new Date(0),
    reload: async () => {},
  });
  await state.importFile(new Blob([Buffer.from(CSV, encoding)]));
  expect(sent).toEqual(expected);
  expect(state.outcome.value).toMatchObject(outcome);
});

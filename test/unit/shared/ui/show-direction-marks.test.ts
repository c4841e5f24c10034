import { createElement as h, options } from 'preact';
import { afterEach, expect, test } from 'vitest';
import { showDirectionMarks } from '../../../../shared/ui/show-direction-marks.ts';

const before = options.vnode;
afterEach(() => {
  if (before) options.vnode = before;
  else delete options.vnode;
});

test('texts of elements show the characters that change the direction of text', () => {
  showDirectionMarks();
  const text = 'safe\u202eexe.\u2066x\u2069';
  const shown = 'safe\\u202eexe.\\u2066x\\u2069';
  expect(h('bdi', { title: text, 'aria-label': text }, text).props).toEqual({
    ...{ title: shown, 'aria-label': shown },
    children: shown,
  });
  const several = h('p', null, text, 1, h('b', null, text));
  expect(several.props.children).toEqual([shown, 1, expect.objectContaining({ type: 'b' })]);
});

test('what is edited and what has another meaning stays as it is', () => {
  showDirectionMarks();
  const text = 'a\u202eb';
  expect(h('input', { value: text, name: text }).props).toEqual({ value: text, name: text });
  const Component = () => null;
  expect(h(Component, { title: text } as object).props).toEqual({ title: text });
});

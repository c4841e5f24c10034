import { options, type VNode } from 'preact';

/** Characters that reverse or isolate the direction of the text that follows, and so could forge what a list says. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g;
const SHOWN_ATTRIBUTES = ['title', 'aria-label', 'label', 'alt', 'placeholder'];

/**
 * Shows these characters in all texts of the page as `\u202e`: most texts in lists are of other people. A text that
 * is edited stays as it is. Texts of our own need none, since elements have `dir`.
 */
export function showDirectionMarks(): void {
  const next = options.vnode;
  options.vnode = (vnode) => {
    if (typeof vnode.type === 'string') escapeElement(vnode as VNode<Record<string, unknown>>);
    next?.(vnode);
  };
}

function escapeElement({ props }: VNode<Record<string, unknown>>): void {
  const { children } = props;
  if (Array.isArray(children)) props.children = children.map(escapeText);
  else if (typeof children === 'string') props.children = escapeText(children);
  for (const name of SHOWN_ATTRIBUTES) {
    if (typeof props[name] === 'string') props[name] = escapeText(props[name]);
  }
}

function escapeText<T>(text: T): T | string {
  if (typeof text !== 'string') return text;
  return text.replace(DIRECTION_MARKS, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}

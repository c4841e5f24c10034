/** What a translator has put in the place of a text. */
type Translation = {
  font: Element;
  /** The text before it was translated. */
  original: string;
};

/**
 * Lets texts change on a page that a browser translates. The translator takes each text node out of the
 * page and shows a `<font>` element instead; the page goes on changing the node, which nobody sees.
 *
 * So the node returns to its place, empty, right before that element. When the page changes the node, the
 * translation is outdated and goes: the new text is seen, and the translator translates it again. When
 * the page removes the node, its translation goes with it. Preact finds all nodes where they were.
 */
export function keepTranslatedTexts(page: Node): void {
  const translations = new Map<Text, Translation>();
  const observer = new MutationObserver((records) => {
    const read = new Set<Node | undefined>();
    for (const record of records) {
      if (record.type === 'childList') read.add(readTranslation(record));
      // Not if the translator itself has changed it.
      else if (!read.has(record.target)) dropTranslation(record.target as Text);
    }
    for (const [text, translation] of translations) settle(text, translation);
    // What was done here is no news.
    observer.takeRecords();
  });
  observer.observe(page, { childList: true, subtree: true });

  function dropTranslation(text: Text): void {
    translations.get(text)?.font.remove();
    translations.delete(text);
  }

  /** A translator replaces a node by an element, in one step or in two. @returns the node */
  function readTranslation(record: MutationRecord): Text | undefined {
    const [text] = record.removedNodes;
    const font = [...record.addedNodes, record.previousSibling, record.nextSibling].find(isFont);
    if (!font?.isConnected || !(text instanceof Text)) return undefined;
    const isMoved = text.isConnected && !font.contains(text);
    if (isMoved || translations.has(text) || isTranslation(font)) return undefined;
    // Some move the node itself into the element.
    if (font.contains(text)) text.replaceWith(text.cloneNode());
    translations.set(text, { font, original: text.data });
    font.before(text);
    observer.observe(text, { characterData: true });
    text.data = '';
    return text;
  }

  function isTranslation(font: Element): boolean {
    return font.previousSibling instanceof Text && translations.has(font.previousSibling);
  }

  function settle(text: Text, { font, original }: Translation): void {
    if (text.parentNode === font.parentNode && text.isConnected) {
      // The page may have moved the node.
      if (text.nextSibling !== font) text.after(font);
      return;
    }
    translations.delete(text);
    font.remove();
    // The translator shows the original again.
    if (text.isConnected && text.data === '') text.data = original;
  }
}

function isFont(node: Node | null): node is Element {
  return node instanceof Element && node.localName === 'font';
}

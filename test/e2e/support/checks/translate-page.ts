import type { Page } from 'puppeteer-core';

/**
 * Translates a page as browsers do: each text is replaced by `<font>` elements, and so is each one that
 * is added or changed later. The translation of a text is the text in guillemets.
 *
 * @param way how the text node leaves the page: translators differ
 */
export async function translatePage(
  page: Page,
  way: 'replaced' | 'removed' | 'moved' = 'replaced',
): Promise<void> {
  await page.evaluate((way) => {
    function translate(root: Node): void {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      if (root instanceof Text) texts.push(root);
      for (const text of texts) {
        if (text.data.trim() === '' || text.parentElement?.closest('font, script, style')) continue;
        const inner = document.createElement('font');
        const font = document.createElement('font');
        font.append(inner);
        const translated = `«${text.data}»`;
        if (way === 'removed') {
          text.before(font);
          text.remove();
        } else text.replaceWith(font);
        if (way === 'moved') {
          inner.append(text);
          text.data = translated;
        } else inner.textContent = translated;
      }
    }
    translate(document.body);
    new MutationObserver((records) => {
      for (const { addedNodes, target, type } of records) {
        if (type === 'characterData') translate(target);
        for (const node of addedNodes) if (node.isConnected) translate(node);
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  }, way);
}

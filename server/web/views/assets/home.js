// The home page and the page of a new link work without this script. It adds buttons, and brings
// people who are signed in to the dashboard, where the link goes into their account.

import { copyFromPage } from './copy-text.js';
import { joinLines } from './join-lines.js';

/** As in server/dashboard/session/session.ts. */
const TOKEN_KEY = 'curt-token';

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const { copy, copied, notCopied } = button.dataset;
    const status = button.closest('.card').querySelector('[data-status]');
    status.textContent = (await copyFromPage(copy)) ? copied : notCopied;
  });
}

for (const button of document.querySelectorAll('[data-save]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`${button.dataset.save}\n`], { type: 'text/plain' }));
    link.download = 'curt-sign-in-key.txt';
    link.click();
  });
}

// The server shows the key once. A reload opens the form, and who comes back to a page that the browser
// has kept does not find the key.
const key = document.querySelector('[data-key]');
if (key) {
  history.replaceState(null, '', '/');
  addEventListener('pagehide', () => {
    key.remove();
    document.querySelector('[data-key-shown]').hidden = false;
  });
}

// A click on the token selects all of it.
document.getElementById('token')?.addEventListener('focus', ({ target }) => target.select());

// The account was made on this page, so the dashboard need not ask.
const signIn = document.querySelector('[data-sign-in]');
signIn?.addEventListener('click', (event) => {
  // A new tab or window has a session of its own: the code in the link signs it in.
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  try {
    sessionStorage.setItem(TOKEN_KEY, signIn.dataset.signIn);
    signIn.href = '/dashboard';
  } catch {
    // The link signs in by itself.
  }
});

// As in shared/ui/UrlInput.tsx.
document.getElementById('original-url')?.addEventListener('paste', (event) => {
  const text = event.clipboardData.getData('text/plain').trim();
  const line = joinLines(text);
  if (line === text) return;
  event.preventDefault();
  document.execCommand('insertText', false, line);
});

const home = document.querySelector('[data-home]');
if (home?.dataset.hasDashboard === 'true' && isSignedIn()) {
  for (const hint of home.querySelectorAll('[data-signed-out]')) hint.hidden = true;
  for (const hint of home.querySelectorAll('[data-signed-in]')) hint.hidden = false;
  home.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const url = home.querySelector('[name=originalUrl]').value;
    location.assign(`/dashboard/share?${new URLSearchParams({ url })}`);
  });
}

function isSignedIn() {
  try {
    return (sessionStorage.getItem(TOKEN_KEY) ?? localStorage.getItem(TOKEN_KEY)) !== null;
  } catch {
    return false;
  }
}

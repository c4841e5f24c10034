// Ignores the second half of a double click on what leads to a link: it would count as a second visit, which may be
// one more than the link admits.
//
// A classic script, as on all pages for visitors.

(() => {
  const DOUBLE_CLICK_MS = 2000;
  let ignoredUntil = 0;

  function once(event) {
    if (event.timeStamp < ignoredUntil) event.preventDefault();
    else ignoredUntil = event.timeStamp + DOUBLE_CLICK_MS;
  }

  document.addEventListener('submit', once);
  for (const link of document.querySelectorAll('[data-once]')) link.addEventListener('click', once);
})();

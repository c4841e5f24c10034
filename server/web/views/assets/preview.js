// Runs the preview page: counts down, lets the visitor stay, loads the link's container and continues
// to the target. The server enforces the wait; without this script, the page refreshes itself.
//
// Its texts are attributes of the page, in the page's language.
//
// A classic script, since a module would be a cross-origin request on a sandboxed page; in a function,
// so that its names do not collide with the container's globals.

(() => {
  const CONTAINER_HOST = 'https://www.googletagmanager.com';
  const CONTAINER_TIMEOUT_MS = 2000;
  const SECOND_MS = 1000;
  const SLOW_TARGET_MS = 3000;

  const preview = document.querySelector('[data-preview]');
  const { go, waitMs, customGtmId, ...texts } = preview.dataset;
  const part = (name) => preview.querySelector(`[data-${name}]`);
  const text = part('text');
  const status = part('status');
  const stayButton = part('stay');
  const continueLink = part('continue');

  const { lang } = document.documentElement;
  const number = new Intl.NumberFormat(lang);
  const duration = new Intl.NumberFormat(lang, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'long',
  });

  const startedAt = performance.now();
  const msLeft = () => Math.max(0, Number(waitMs) - (performance.now() - startedAt));
  let isStaying = false;
  let isReady = false;

  stayButton.hidden = false;
  continueLink.hidden = true;
  stayButton.addEventListener('click', stay);
  if (customGtmId) {
    if (self.origin === 'null') lockAddress();
    fireContainer(customGtmId);
  }
  if (Number(waitMs) > 0) {
    status.textContent = texts.announcement;
    countDown();
  } else if (!customGtmId) {
    finish();
  }

  function countDown() {
    const left = msLeft();
    const seconds = Math.ceil(left / SECOND_MS);
    part('number').textContent = number.format(seconds);
    part('time-left').textContent = texts.timeLeft.replace('{time}', duration.format(seconds));
    // The ring's transition takes the whole second, so set its value at the second's end.
    const leftAtEnd = Math.max(0, seconds - 1) * SECOND_MS;
    part('ring').setAttribute('stroke-dasharray', `${(leftAtEnd / Number(waitMs)) * 100} 100`);
    if (left === 0) finish();
    else setTimeout(countDown, left - leftAtEnd);
  }

  /** Called when the wait is over or the container is done. */
  function finish() {
    if (isReady) return;
    isReady = true;
    if (isStaying) {
      allowContinue();
      showStatus(texts.canContinue);
    } else {
      // Replaces this page in the history, so that Back does not redirect again.
      location.replace(go);
      showStatus(texts.redirecting);
      // If the target is slow, or a download that leaves this page open. The visitor can still stay.
      setTimeout(() => {
        continueLink.hidden = false;
      }, SLOW_TARGET_MS);
    }
  }

  function stay() {
    isStaying = true;
    preview.classList.add('is-staying');
    if (isReady) {
      // The browser is already on its way to the target, which may answer late.
      window.stop();
      showStatus(texts.staying);
    } else {
      continueLink.removeAttribute('href');
      continueLink.setAttribute('role', 'link');
      continueLink.setAttribute('aria-disabled', 'true');
      continueLink.tabIndex = 0;
      showStatus(texts.stayingWait);
    }
    continueLink.hidden = false;
    // Before the button goes: the focus must not be on nothing.
    continueLink.focus();
    stayButton.hidden = true;
  }

  function allowContinue() {
    continueLink.href = go;
    continueLink.removeAttribute('role');
    continueLink.removeAttribute('aria-disabled');
    continueLink.removeAttribute('tabindex');
  }

  function showStatus(message) {
    text.textContent = message;
    status.textContent = message;
  }

  /**
   * A sandboxed page cannot read other pages of the host, but it could still change its own address to
   * theirs, and a container could impersonate them. The page's frames and popups have other origins,
   * so it cannot get unmodified copies of these functions there; in an opaque origin, the Navigation
   * API has no events.
   */
  function lockAddress() {
    for (const name of ['pushState', 'replaceState']) {
      Object.defineProperty(History.prototype, name, {
        value() {
          throw new DOMException('The address of this page cannot be changed.', 'SecurityError');
        },
      });
    }
  }

  /**
   * Without a wait, the page continues when the container's tags have processed the event, or after
   * two seconds at the latest.
   */
  function fireContainer(id) {
    const isAlone = Number(waitMs) === 0;
    const event = { event: 'curt_preview' };
    if (isAlone)
      Object.assign(event, { eventCallback: finish, eventTimeout: CONTAINER_TIMEOUT_MS });
    window.dataLayer = [{ 'gtm.start': Date.now(), event: 'gtm.js' }, event];

    const container = document.createElement('script');
    container.async = true;
    container.src = `${CONTAINER_HOST}/gtm.js?id=${encodeURIComponent(id)}`;
    container.nonce = document.querySelector('script[nonce]').nonce;
    if (isAlone) {
      container.addEventListener('error', finish);
      setTimeout(finish, CONTAINER_TIMEOUT_MS);
    }
    document.head.append(container);
  }
})();

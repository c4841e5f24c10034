// The preview page's wait: counts down, lets the visitor stay, fires the link's container, and
// goes on. The server holds the wait; without this script the page refreshes itself.
//
// A classic script in a function of its own: on a sandboxed page a module would be a cross-origin
// request, and the container's global names must not meet these.

(() => {
  const CONTAINER_HOST = 'https://www.googletagmanager.com';
  const CONTAINER_TIMEOUT_MS = 2000;
  const SECOND_MS = 1000;
  const PATIENCE_MS = 3000;

  const preview = document.querySelector('[data-preview]');
  const { go, waitMs, gtmId } = preview.dataset;
  const part = (name) => preview.querySelector(`[data-${name}]`);
  const text = part('text');
  const status = part('status');
  const stayButton = part('stay');
  const continueLink = part('continue');

  const startedAt = performance.now();
  const msLeft = () => Math.max(0, Number(waitMs) - (performance.now() - startedAt));
  let isStaying = false;
  let isReady = false;

  stayButton.hidden = false;
  continueLink.hidden = true;
  stayButton.addEventListener('click', stay);
  if (gtmId) {
    if (self.origin === 'null') lockAddress();
    fireContainer(gtmId);
  }
  if (Number(waitMs) > 0) {
    const seconds = Math.ceil(msLeft() / SECOND_MS);
    status.textContent = `You are taken on in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}. Press “Stay here” to stop that.`;
    countDown();
  } else if (!gtmId) {
    finish();
  }

  function countDown() {
    const left = msLeft();
    const seconds = Math.ceil(left / SECOND_MS);
    part('seconds').textContent = String(seconds);
    // The ring moves during the second, to where it stands at its end.
    const leftAtEnd = Math.max(0, seconds - 1) * SECOND_MS;
    part('ring').setAttribute('stroke-dasharray', `${(leftAtEnd / Number(waitMs)) * 100} 100`);
    if (left === 0) finish();
    else setTimeout(countDown, left - leftAtEnd);
  }

  /** The wait is over, or the container is done. */
  function finish() {
    if (isReady) return;
    isReady = true;
    if (isStaying) {
      allowContinue();
      say('You can continue now.');
    } else {
      // Back then leads to the page before, not to this one and on again.
      location.replace(go);
      say('You are taken there now.');
      // Where the target is slow, or a download that leaves this page as it is.
      setTimeout(swapButtons, PATIENCE_MS);
    }
  }

  function stay() {
    isStaying = true;
    preview.classList.add('is-staying');
    const hadFocus = document.activeElement === stayButton;
    swapButtons();
    if (isReady) {
      say('You stay here. Continue when you like.');
    } else {
      continueLink.removeAttribute('href');
      continueLink.setAttribute('role', 'link');
      continueLink.setAttribute('aria-disabled', 'true');
      continueLink.tabIndex = 0;
      say('You stay here. “Continue” works once the time is up.');
    }
    if (hadFocus) continueLink.focus();
  }

  function allowContinue() {
    continueLink.href = go;
    continueLink.removeAttribute('role');
    continueLink.removeAttribute('aria-disabled');
    continueLink.removeAttribute('tabindex');
  }

  function swapButtons() {
    stayButton.hidden = true;
    continueLink.hidden = false;
  }

  function say(sentence) {
    text.textContent = sentence;
    status.textContent = sentence;
  }

  /**
   * A sandboxed page cannot read other pages of the host, but may still replace its own address by
   * theirs, and a container could then pass for them. Frames and popups of the page have origins of
   * their own, so no untouched copy of these functions is in reach; in an opaque origin the
   * Navigation API has no events.
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
   * With no wait of its own, the page goes on when the container's tags are done with the event, and
   * after two seconds at the latest.
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

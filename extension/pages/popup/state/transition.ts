import {
  changeForm,
  clearForm,
  closeForm,
  continueDraft,
  hasChanges,
  readForm,
  reject,
  step,
  toDraft,
} from './form-steps.ts';
import type { Event, Model, Step } from './popup-model.ts';
import {
  changePage,
  copyAgain,
  goBack,
  ownLink,
  perform,
  showAnswer,
  showFailure,
  showLink,
  showReady,
  showResult,
  start,
  started,
  switched,
  switchTo,
  tryAgain,
  typedUrlResolved,
  withDomain,
} from './show-steps.ts';
import {
  changesRead,
  deleted,
  edit,
  edited,
  formRead,
  leaveQueue,
  queueRead,
  submitted,
} from './submit-steps.ts';

/** What an event makes of the popup, and what is to be done then. Reads and changes nothing else. */
export function transition(model: Model, event: Event): Step {
  const { view, subject, settings } = model;
  switch (event.type) {
    case 'start':
      return start(model);
    case 'opened': {
      const { url = '', title } = event.tab;
      return step(changePage({ ...model, tab: event.tab }, { url, title }));
    }
    case 'started':
      return started(model, event.answer);
    case 'loaded': {
      // The user may have entered a URL meanwhile.
      if (view !== event.shown) return step(model);
      const loaded = { ...model, tab: event.tab };
      return event.tab.url ? start(loaded) : showFailure(loaded, event.failure, { do: 'start' });
    }
    case 'try again':
      return tryAgain(model);
    case 'retry':
      return view.name === 'queued' ? perform(model, view.intent) : step(model);

    case 'go back':
      return goBack(model);
    case 'accept secret': {
      if (view.name !== 'secret') return step(model);
      const isPage = subject === model.pageSubject;
      const accepted = isPage
        ? changePage(model, { isSecretAccepted: true })
        : { ...model, subject: { ...subject, isSecretAccepted: true as const } };
      return perform({ ...accepted, view: view.before }, view.intent);
    }
    case 'remove secret': {
      const without = subject.target?.warning?.without;
      if (view.name !== 'secret' || !without) return step(model);
      const keepTracking = subject.target?.url === subject.target?.fullUrl;
      const before = view.isForForm ? view.before : undefined;
      return switchTo(model, without, { keepTracking, before, intent: view.intent });
    }
    case 'use full url':
      return switchTo(model, subject.target?.fullUrl ?? subject.url, { keepTracking: true });
    case 'use tab url':
      return switchTo(model, subject.target?.tabUrl ?? subject.url, { keepTracking: false });
    case 'type url':
      return step({ ...model, typedUrl: event.text, typedUrlFailure: undefined });
    case 'shorten typed url': {
      const working = { name: 'working' } as const;
      return step(
        { ...model, typedUrlFailure: undefined, view: working },
        {
          do: 'resolve url',
          text: model.typedUrl,
          keepTracking: false,
          createsLink: true,
          working,
          before: view,
          intent: { do: 'create', reuseExisting: true },
        },
      );
    }
    case 'url resolved':
      return event.effect.about ? switched(model, event) : typedUrlResolved(model, event);
    case 'use new address': {
      if (view.name !== 'queued' || !view.failure.movedTo || !settings) return step(model);
      // The request gets another ID at the new address, so that its view would end.
      const working = { name: 'working' } as const;
      const { movedTo: to } = view.failure;
      const effect = { from: settings.serverOrigin, to, shown: view, working };
      return step({ ...model, view: working }, { do: 'move server', ...effect });
    }
    case 'moved': {
      const { shown, working } = event.effect;
      const moved = event.answer.ok ? { ...model, settings: event.answer.data } : model;
      if (view !== working) return step(moved);
      if (!event.answer.ok) return showFailure(moved, event.answer, shown.intent);
      return perform(moved, shown.intent);
    }

    case 'created':
      // The user may have entered another URL meanwhile.
      if (subject !== event.effect.about) return step(model);
      return showAnswer(model, event.answer, {
        do: 'create',
        reuseExisting: event.effect.reuseExisting,
      });
    case 'create another': {
      // The form of the link that is shown, which no other view can submit.
      const cleared = clearForm(model);
      if (settings?.optionsFirst) return step(showReady(cleared));
      return perform(cleared, { do: 'create', reuseExisting: false });
    }
    case 'show options':
      return step(showReady(model));
    case 'show existing':
      return showLink(model, event.link, { isExisting: true });
    case 'copy again':
      return copyAgain(model);
    case 'copied':
      // Another link may be shown meanwhile.
      if (view !== event.shown) return step(model);
      return step({ ...model, view: { ...event.shown, copy: event.isCopied ? 'done' : 'failed' } });
    case 'choose domain': {
      const own = ownLink(model);
      const { host: domain } = event;
      if (own && !own.isExisting) return edit(model, 'move', { domain });
      return tryAgain(withDomain(model, domain));
    }
    case 'toggle pause': {
      const isPaused = ownLink(model)?.link.status === 'inactive';
      return edit(model, isPaused ? 'resume' : 'pause', { isActive: isPaused });
    }
    case 'undo': {
      const shown = ownLink(model);
      return step(
        model,
        ...(shown ? [{ do: 'delete', shown, requestedUrl: subject.url } as const] : []),
      );
    }
    case 'deleted':
      return deleted(model, event);
    case 'restore':
      return step(
        model,
        ...(view.name === 'deleted' ? [{ do: 'restore', shown: view } as const] : []),
      );
    case 'restored': {
      if (view !== event.shown) return step(model);
      if (!event.restored) return step(reject(model, event.rejection));
      // Its version is another one.
      const { serverOrigin: _, requestedUrl: __, ...link } = event.restored;
      return showLink({ ...model, links: [link, ...model.links] }, link, {});
    }

    case 'open form':
      return step(continueDraft({ ...model, isAliasEdited: false, isFormOpen: true }));
    case 'continue draft':
      return step(continueDraft(model));
    case 'discard draft':
      return step({ ...model, keptDraft: undefined }, { do: 'save draft', draft: undefined });
    case 'leave form':
      return step({
        ...clearForm(model),
        keptDraft: hasChanges(model) ? toDraft(model) : undefined,
      });
    case 'close form':
      return closeForm(model);
    case 'edit alias': {
      const opened = { ...model, isAliasEdited: true };
      if (event.typed === undefined) return step(opened);
      return changeForm(opened, { customAlias: event.typed });
    }
    case 'change form':
      return changeForm(model, event.changes);
    case 'submit form': {
      const { unreadable } = event;
      if (model.isSubmitting) return step(model);
      const shown = ownLink(model);
      if (shown) return step(model, { do: 'read changes', shown, unreadable });
      if (view.name !== 'ready') return step(model);
      return readForm(model, model.changedFields, unreadable);
    }
    case 'form read':
      return formRead(model, event);
    case 'submitted':
      return submitted(model, event);
    case 'changes read':
      return changesRead(model, event);
    case 'edited':
      return edited(model, event);

    case 'limits read':
      return step({ ...model, limits: { ...model.limits, ...event.limits } });
    case 'queue changed':
      return step(model, { do: 'read queue' });
    case 'queue read':
      return queueRead(model, event);
    case 'settled': {
      const { answer } = event;
      if (view.name !== 'queued' || view.failure.queued.id !== event.id) return step(model);
      // Not copied: the user may have copied something else meanwhile.
      if (answer.ok) return showResult(model, answer, { copies: false });
      const intent = { do: 'create', reuseExisting: true } as const;
      return step(model, { do: 'explain', failure: answer, shown: view, intent });
    }
    case 'explained':
      // The link of a queued request may be shown meanwhile.
      if (view !== event.effect.shown) return step(model);
      return showFailure(model, event.failure, event.effect.intent);
    case 'discard queued':
      return step(
        model,
        ...(view.name === 'queued' ? [{ do: 'discard', shown: view } as const] : []),
      );
    case 'discarded':
      if (view !== event.shown) return step(model);
      if (event.failure) return showFailure(model, event.failure, event.shown.intent);
      return step(leaveQueue(model, event.shown.intent));
  }
}

// Shows times, which the server writes in UTC, in the visitor's time zone. Written as `Translator.time` does.
const { lang } = document.documentElement;
const regional = navigator.languages.find((tag) => tag.split('-')[0] === lang) ?? lang;
// Chromium on Linux can have a tag that it refuses, such as en-US@posix.
const format = new Intl.DateTimeFormat(regional.replace(/[^\w-].*/, ''), {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});
for (const element of document.querySelectorAll('time[datetime]')) {
  element.textContent = format.format(new Date(element.dateTime));
}

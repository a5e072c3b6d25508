/**
 * What a page gains where scripts run: times in the reader's zone and the page's language, with UTC at hand, the zone for
 * the mails of who subscribes, and once a minute the page as it is by then. It asks the page's own address only, and leaves the page alone while the reader has something open or typed.
 */
export const statusScript = `'use strict'
{
  const { lang } = document.documentElement
  const base = (tag) => tag.split('-')[0].toLowerCase()
  // A reader of English may write dates as in London or as in Boston, which the browser knows.
  const locale = navigator.languages.find((tag) => base(tag) === base(lang)) ?? lang
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const localise = (root) => {
    for (const time of root.querySelectorAll('time[datetime]')) {
      time.title = time.textContent
      time.textContent = format.format(new Date(time.dateTime))
    }
  }
  const isBusy = () =>
    document.hidden || document.querySelector('details[open]') || document.activeElement?.tagName === 'INPUT'
  const refresh = async () => {
    if (isBusy()) return
    const answer = await fetch(location.href)
    if (!answer.ok) return
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const main = next.querySelector('main[data-live]')
    if (main === null || isBusy()) return
    localise(main)
    document.title = next.title
    document.querySelector('main').replaceWith(main)
    const icon = next.querySelector('link[rel=icon]')
    if (icon) document.querySelector('link[rel=icon]')?.replaceWith(icon)
  }
  localise(document)
  for (const input of document.querySelectorAll('input[name=time_zone]')) input.value = format.resolvedOptions().timeZone
  if (document.querySelector('main[data-live]')) setInterval(() => refresh().catch(() => {}), 60_000)
}
`

import { staleSeconds } from './screen-style.ts'

/**
 * What a screen gains where scripts run: a reading every 15 seconds without a flicker, times in the screen's own zone,
 * and a screen that sleeps and wakes does not take what it showed for the present. Where nothing answers the last
 * reading stays, and its style turns it grey. The page is opened anew once the service refuses it, which shows why, or is of another release.
 */
export const screenScript = `'use strict'
{
  const everyMs = 15_000
  const deadlineMs = 10_000
  const staleMs = ${staleSeconds}_000
  const time = new Intl.DateTimeFormat([], { timeStyle: 'medium' })
  const dayAndTime = new Intl.DateTimeFormat([], { dateStyle: 'medium', timeStyle: 'short' })
  const told = document.querySelector('[role=status]')
  let readAt = Date.now()
  const release = (page) => page.querySelector('link[rel=stylesheet]')?.getAttribute('href')
  const localise = (root) => {
    const today = new Date().toDateString()
    for (const element of root.querySelectorAll('time[datetime]')) {
      const at = new Date(element.dateTime)
      element.textContent = (at.toDateString() === today ? time : dayAndTime).format(at)
    }
  }
  const read = async () => {
    const answer = await fetch(location.href, { cache: 'no-store', signal: AbortSignal.timeout(deadlineMs) })
    if (answer.status === 404) return location.reload()
    if (!answer.ok) return
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const main = next.querySelector('main[data-wall]')
    if (main === null) return
    if (release(next) !== release(document)) return location.reload()
    localise(main)
    document.title = next.title
    document.querySelector('main').replaceWith(main)
    const heading = main.querySelector('h1').textContent
    if (told.textContent !== heading) told.textContent = heading
    readAt = Date.now()
  }
  const turn = () => read().catch(() => {}).then(() => setTimeout(turn, everyMs))
  const age = () => {
    const isOld = Math.abs(Date.now() - readAt) > staleMs
    document.querySelector('main').classList.toggle('old', isOld)
  }
  localise(document)
  setTimeout(turn, everyMs)
  setInterval(age, 1000)
}
`

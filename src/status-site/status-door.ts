import type { StatusHead } from '#core/status-pages/status-model.ts'
import type { Texts } from '#core/language/texts.ts'
import { escapeHtml } from '#http/html-page.ts'
import { type StatusPlace, frame, languageMenu, linkTo } from './status-frame.ts'

/** Why a reader is not let in. */
export type DoorProblem = { is: 'wrong' } | { is: 'too_often'; resetSeconds: number }

/** What came of an address that a reader gave. */
export type SubscriptionNotice = { is: 'asked' | 'no_address' } | { is: 'too_often'; resetSeconds: number }

/** Asks for the page's password. A reader without it is not told the title either. */
export function renderDoor(theme: StatusHead['theme'], place: StatusPlace, problem: DoorProblem | null): string {
  const { i18n } = place
  const told =
    problem === null ? '' : `<p class="w" id="problem" role="alert">${escapeHtml(problemText(i18n, problem))}</p>`
  const described = problem === null ? '' : ' aria-describedby="problem" aria-invalid="true"'
  const password = escapeHtml(i18n._('Password'))
  const body = `<main class="door"><h1>${escapeHtml(i18n._('This page asks for a password'))}</h1>
<form class="f" method="post" action="${linkTo(place, '/password')}">
<label class="vh" for="password">${password}</label><input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password" placeholder="${password}" autofocus${described}>
<button type="submit">${escapeHtml(i18n._('Open', {}, { context: 'button' }))}</button></form>${told}${languageMenu(place, '')}</main>`
  return frame({ theme }, place, { title: i18n._('Password'), tone: 'plain', body })
}

function problemText(i18n: Texts, problem: DoorProblem): string {
  switch (problem.is) {
    case 'wrong':
      return i18n._('This is not the password.')
    case 'too_often':
      return i18n._(
        'Too many tries. Wait {minutes, plural, =1 {a minute} one {# minute} other {# minutes}} and try again.',
        { minutes: minutesOf(problem.resetSeconds) },
      )
  }
}

/** Says how subscribing ended, and leads back. */
export function renderNotice(head: Pick<StatusHead, 'theme'>, place: StatusPlace, notice: SubscriptionNotice): string {
  const { i18n } = place
  const { title, text } = noticeTexts(i18n, notice)
  const body = `<main class="door"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>
<p class="l"><a href="${linkTo(place, '')}">${escapeHtml(i18n._('Back to the page'))}</a></p></main>`
  return frame(head, place, { title, tone: 'plain', body })
}

function noticeTexts(i18n: Texts, notice: SubscriptionNotice): { title: string; text: string } {
  switch (notice.is) {
    case 'asked':
      return {
        title: i18n._('Check your mailbox'),
        text: i18n._(
          'If this address is not subscribed already, a message is on its way. Open the link in it to confirm; until then, nothing else is sent.',
        ),
      }
    case 'no_address':
      return { title: i18n._('This is not an email address'), text: i18n._('Go back and look at it again.') }
    case 'too_often':
      return {
        title: i18n._('Too many requests'),
        text: i18n._('Wait {minutes, plural, =1 {a minute} one {# minute} other {# minutes}} and try again.', {
          minutes: minutesOf(notice.resetSeconds),
        }),
      }
  }
}

function minutesOf(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60))
}

/** Where there is no page. */
export function renderNothing(place: Pick<StatusPlace, 'assets' | 'i18n' | 'language'>): string {
  const title = place.i18n._('There is no such page')
  const text = place.i18n._('Its address may have changed, or it was taken down.')
  const body = `<main class="door"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`
  const nowhere = { ...place, base: '', url: '', canSubscribe: false, chosen: null }
  return frame({ theme: 'auto' }, nowhere, { title, tone: 'plain', body })
}

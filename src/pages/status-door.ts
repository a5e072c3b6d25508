import { escapeHtml } from './page.ts'
import type { StatusHead } from '#core/status-model.ts'
import { type StatusPlace, frame, rootOf } from './status-frame.ts'

/** What a reader is told instead of the page. */
export type Notice = { title: string; text: string }

/** Asks for the page's password. Its title is nobody's business before. */
export function renderDoor(theme: StatusHead['theme'], place: StatusPlace, problem: string | null): string {
  const told = problem === null ? '' : `<p class="w" id="problem" role="alert">${escapeHtml(problem)}</p>`
  const described = problem === null ? '' : ' aria-describedby="problem" aria-invalid="true"'
  const body = `<main class="door"><h1>This page asks for a password</h1>
<form class="f" method="post" action="${place.base}/password">
<label class="vh" for="password">Password</label><input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password" placeholder="Password" autofocus${described}>
<button type="submit">Open</button></form>${told}</main>`
  return frame({ theme }, place, { title: 'Password', tone: 'plain', body })
}

/** Says how something ended, and leads back. */
export function renderNotice(head: Pick<StatusHead, 'theme'>, place: StatusPlace, { title, text }: Notice): string {
  const body = `<main class="door"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>
<p class="l"><a href="${rootOf(place)}">Back to the page</a></p></main>`
  return frame(head, place, { title, tone: 'plain', body })
}

/** Where there is no page. */
export function renderNothing(place: Pick<StatusPlace, 'assets'>): string {
  const body =
    '<main class="door"><h1>There is no such page</h1><p>Its address may have changed, or it was taken down.</p></main>'
  const nowhere = { ...place, base: '', url: '', canSubscribe: false }
  return frame({ theme: 'auto' }, nowhere, { title: 'There is no such page', tone: 'plain', body })
}

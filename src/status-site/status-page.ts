import {
  type PlannedMaintenance,
  type SignedUntil,
  type StatusHead,
  type StatusModel,
  pastDays,
} from '#core/status-pages/status-model.ts'
import { type PageStanding, stateTones } from '#core/status-pages/status-standing.ts'
import { standingText, stateText } from '#core/status-pages/status-words.ts'
import { barDays } from '#core/results/uptime-bars.ts'
import { monthOf } from '#core/language/utc-day.ts'
import type { StatusHistory } from '#operations/status-pages/public-page.ts'
import { escapeHtml } from '#http/html-page.ts'
import { toneMark } from './status-assets.ts'
import { type StatusPlace, frame, languageMenu, linkTo, pictureAddress } from './status-frame.ts'
import { announcementArticle, incidentArticle, maintenanceArticle, pastByDay } from './status-incident.ts'
import { monitorCell, monitorItem } from './status-monitor.ts'
import { type PageTexts, monthText } from '#core/status-pages/page-texts.ts'
import { moment, richText, withPieces } from './status-text.ts'

/** The page itself. */
export function renderStatusPage(model: StatusModel, place: StatusPlace): string {
  const { standing, running, announcements, maintenance, at } = model
  const { i18n } = place
  const coming = (one: PlannedMaintenance): string => maintenanceArticle(i18n, one, { isOver: false, level: 3 })
  const body = [
    pageHeader(model, place, `<a class="go" href="#updates">${escapeHtml(i18n._('Get updates'))}</a>`),
    '<main data-live>',
    standingBox(i18n, standing, at),
    part(
      i18n._('Current incidents'),
      running.map((incident) => incidentArticle(i18n, incident, { now: at, level: 3 })),
    ),
    part(i18n._('Maintenance under way'), maintenance.filter(hasBegun(at)).map(coming)),
    part(
      i18n._('Announcements'),
      announcements.map((one) => announcementArticle(i18n, one, 3)),
    ),
    part(i18n._('Planned maintenance'), maintenance.filter((one) => !hasBegun(at)(one)).map(coming)),
    ...model.sections.map((section) => sectionPart(i18n, section, model)),
    model.layout === 'compact' && model.sections.length > 0 ? legend(i18n, model) : '',
    pastPart(model, place),
    '</main>',
    updatesPart(place),
    pageFooter(place, '', model.signedUntil),
  ]
  return frame(model, place, {
    title: i18n._('{title}: {standing}', { title: model.title, standing: standingText(i18n, standing) }),
    tone: standing.tone,
    body: body.filter((piece) => piece !== '').join('\n'),
    path: '',
  })
}

/** What stands in a frame of another page: how all are, and each. */
export function renderStatusEmbed(model: StatusModel, place: StatusPlace): string {
  const { i18n } = place
  const items = model.sections.flatMap(({ monitors }) =>
    monitors.map(
      ({ name, state }) =>
        `<li><span>${escapeHtml(name)}</span><span class="s ${stateTones[state]}">${escapeHtml(stateText(i18n, state))}</span></li>`,
    ),
  )
  const { tone } = model.standing
  const standing = standingText(i18n, model.standing)
  const link = `<a href="${escapeHtml(place.url)}" target="_blank" rel="noopener">${escapeHtml(model.title)}</a>`
  const body =
    `<main data-live><div class="st ${tone}">${toneMark(tone)}<div><h1>${escapeHtml(standing)}</h1><p>${link}</p></div></div>` +
    `<ul>${items.join('')}</ul></main>`
  return frame(model, place, {
    title: i18n._('{title}: {standing}', { title: model.title, standing }),
    tone,
    body,
    className: 'e',
  })
}

/** What happened in a month. */
export function renderStatusHistory(history: StatusHistory, place: StatusPlace): string {
  const { head, month, at } = history
  const { i18n } = place
  const past = pastByDay(i18n, history, at)
  const shownMonth = monthText(i18n, month)
  const path = historyPath(month)
  const body = [
    pageHeader(head, place, ''),
    `<main><p><a href="${linkTo(place, '')}">${escapeHtml(i18n._('Current status'))}</a></p><h2>${escapeHtml(shownMonth)}</h2>`,
    past === '' ? `<p class="none">${escapeHtml(i18n._('Nothing happened in this month.'))}</p>` : past,
    monthLinks(history, place),
    '</main>',
    pageFooter(place, path),
  ]
  return frame(head, place, {
    title: i18n._('{title}: {month}', { title: head.title, month: shownMonth }),
    tone: 'plain',
    body: body.join('\n'),
    path,
  })
}

/** Of any day of the month. */
function historyPath(day: string): string {
  return `/history?month=${day.slice(0, 7)}`
}

function monthLinks({ month, first, last }: StatusHistory, place: StatusPlace): string {
  const { i18n } = place
  const link = (to: string): string =>
    `<a href="${linkTo(place, historyPath(to))}">${escapeHtml(monthText(i18n, to))}</a>`
  const before = monthOf(new Date(Date.parse(month) - 1).toISOString().slice(0, 10))
  const after = monthOf(new Date(Date.parse(month) + 32 * 86_400_000).toISOString().slice(0, 10))
  return `<nav aria-label="${escapeHtml(i18n._('Months'))}"><span>${month > first ? link(before) : ''}</span><span>${month < last ? link(after) : ''}</span></nav>`
}

function pageHeader(head: StatusHead, place: StatusPlace, more: string): string {
  const { title, description, homepage } = head
  const name = escapeHtml(title)
  const shown = homepage === null ? name : `<a href="${escapeHtml(homepage)}" rel="noopener">${name}</a>`
  const about = description === '' ? '' : `<p>${richText(description)}</p>`
  return `<header>${logoOf(head, place)}<div><h1>${shown}</h1>${about}</div>${more}</header>`
}

function logoOf({ logo }: StatusHead, place: StatusPlace): string {
  if (logo === null) return ''
  const { width, height, alt } = logo
  const address = pictureAddress('logo', logo, place)
  return `<img class="logo" src="${address}" alt="${escapeHtml(alt)}" width="${width}" height="${height}">`
}

function standingBox(i18n: PageTexts, standing: PageStanding, at: Date): string {
  const { tone } = standing
  const asOf = withPieces(i18n._('As of <time/>'), { '<time/>': moment(i18n, at) })
  return `<div class="st ${tone}">${toneMark(tone)}<div><h2>${escapeHtml(standingText(i18n, standing))}</h2><p>${asOf}</p></div></div>`
}

function hasBegun(at: Date): (maintenance: PlannedMaintenance) => boolean {
  return ({ startsAt }) => startsAt <= at
}

function part(heading: string, articles: readonly string[]): string {
  return articles.length === 0 ? '' : `<section><h2>${escapeHtml(heading)}</h2>\n${articles.join('\n')}</section>`
}

function sectionPart(
  i18n: PageTexts,
  { name, monitors }: StatusModel['sections'][number],
  { layout, at }: StatusModel,
): string {
  const heading = name === '' ? `<h2 class="vh">${escapeHtml(i18n._('Systems'))}</h2>` : `<h2>${escapeHtml(name)}</h2>`
  const items =
    layout === 'compact'
      ? monitors.map((monitor) => monitorCell(i18n, monitor, at))
      : monitors.map((monitor) => monitorItem(i18n, monitor, at))
  return `<section>${heading}<ul class="${layout === 'compact' ? 'c g' : 'c'}">\n${items.join('\n')}\n</ul></section>`
}

/** In the compact form there is no room for it below each monitor. */
function legend(i18n: PageTexts, { history }: StatusModel): string {
  const text =
    history === 'whole'
      ? i18n._('Bars show the whole history of each system, the oldest first.')
      : i18n._('Bars show the last {days, plural, one {# day} other {# days}}, the oldest first.', { days: barDays })
  return `<p class="bl">${escapeHtml(text)}</p>`
}

function pastPart({ ended, endedAnnouncements, at }: StatusModel, place: StatusPlace): string {
  const { i18n } = place
  const past = pastByDay(i18n, { incidents: ended, announcements: endedAnnouncements, maintenance: [] }, at)
  return [
    `<section><h2>${escapeHtml(i18n._('Past incidents'))}</h2>`,
    past === '' ? `<p class="none">${escapeHtml(nothingText(i18n))}</p>` : past,
    `<nav><a href="${linkTo(place, '/history')}">${escapeHtml(i18n._('All incidents'))}</a></nav></section>`,
  ].join('\n')
}

function nothingText(i18n: PageTexts): string {
  return i18n._('There were none in the last {days, plural, one {# day} other {# days}}.', { days: pastDays })
}

function updatesPart(place: StatusPlace): string {
  const { canSubscribe, i18n } = place
  const title = escapeHtml(i18n._('Get updates'))
  const form = `<form class="f" method="post" action="${linkTo(place, '/subscribe')}"><input type="hidden" name="time_zone">
<label class="vh" for="email">${escapeHtml(i18n._('Email address'))}</label><input id="email" name="email" type="email" required maxlength="254" autocomplete="email" placeholder="you@example.com">
<button type="submit">${escapeHtml(i18n._('Subscribe'))}</button></form>`
  const offer = escapeHtml(i18n._('Get a mail when something happens here.'))
  const feeds = escapeHtml(
    i18n._(
      'Add one of these feeds to a feed reader, or to a team chat that takes feeds: it tells you of every incident, update and maintenance.',
    ),
  )
  const webhooks = escapeHtml(
    i18n._('Programs can read the JSON. The people who run this page can also add your webhook.'),
  )
  const [atom, rss] = [escapeHtml(i18n._('Atom feed')), escapeHtml(i18n._('RSS feed'))]
  return [
    `<aside id="updates" aria-labelledby="get"><h2 id="get">${title}</h2>`,
    canSubscribe ? `<p>${offer}</p>${form}` : `<p>${feeds}</p>`,
    `<p class="l"><a href="${linkTo(place, '/feed.atom')}">${atom}</a><a href="${linkTo(place, '/feed.rss')}">${rss}</a><a href="${jsonLink(place)}">JSON</a></p>`,
    canSubscribe ? '</aside>' : `<p class="l">${webhooks}</p></aside>`,
  ].join('\n')
}

/** `/status/acme.json`, or `/status.json` at a domain of its own. */
function jsonLink(place: StatusPlace): string {
  return linkTo(place, place.base === '' ? '/status.json' : '.json')
}

function pageFooter(place: StatusPlace, path: string, signedUntil: SignedUntil | null = null): string {
  const { i18n } = place
  const zone = escapeHtml(i18n._('Times are UTC, or in your own zone where scripts run.'))
  return `<footer>${languageMenu(place, path)}${signedUntil === null ? '' : signedLine(place, signedUntil)}<p><span>${zone}</span><span>${escapeHtml(i18n._('Made with Perigee'))}</span></p></footer>`
}

/** The beginning of the root is enough to compare; the whole of it is in the page for programs. */
function signedLine(place: StatusPlace, { day, hash }: SignedUntil): string {
  const text = place.i18n._('History signed until {day}, root {root}', { day, root: hash.slice(0, 16) })
  return `<p><a href="${jsonLink(place)}">${escapeHtml(text)}</a></p>`
}

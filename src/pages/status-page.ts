import { type PlannedMaintenance, type StatusHead, type StatusModel, pastDays } from '#core/status-model.ts'
import { type Standing, stateTones, stateWords } from '#core/status-standing.ts'
import { monthOf } from '#core/utc-day.ts'
import type { StatusHistory } from '#operations/status-public.ts'
import { escapeHtml } from './page.ts'
import { toneMark } from './status-assets.ts'
import { type StatusPlace, frame, rootOf } from './status-frame.ts'
import { announcementArticle, incidentArticle, maintenanceArticle, pastByDay } from './status-incident.ts'
import { monitorItem } from './status-monitor.ts'
import { moment, monthText, richText } from './status-text.ts'

/** The page itself. */
export function renderStatusPage(model: StatusModel, place: StatusPlace): string {
  const { standing, running, announcements, maintenance, at } = model
  const body = [
    pageHeader(model, `<a class="go" href="#updates">Get updates</a>`),
    '<main data-live>',
    standingBox(standing, at),
    part(
      'Announcements',
      announcements.map((one) => announcementArticle(one, 3)),
    ),
    part(
      'Current incidents',
      running.map((incident) => incidentArticle(incident, { now: at, level: 3 })),
    ),
    part('Maintenance under way', maintenance.filter(hasBegun(at)).map(comingArticle)),
    part('Planned maintenance', maintenance.filter((one) => !hasBegun(at)(one)).map(comingArticle)),
    ...model.sections.map(sectionPart),
    pastPart(model, place),
    '</main>',
    updatesPart(place),
    pageFooter,
  ]
  return frame(model, place, {
    title: `${model.title}: ${standing.words}`,
    tone: standing.tone,
    body: body.filter((piece) => piece !== '').join('\n'),
    hasFeeds: true,
  })
}

/** What stands in a frame of another page: how all are, and each. */
export function renderStatusEmbed(model: StatusModel, place: StatusPlace): string {
  const items = model.sections.flatMap(({ monitors }) =>
    monitors.map(
      ({ name, state }) =>
        `<li><span>${escapeHtml(name)}</span><span class="s ${stateTones[state]}">${stateWords[state]}</span></li>`,
    ),
  )
  const { tone, words } = model.standing
  const link = `<a href="${escapeHtml(place.url)}" target="_blank" rel="noopener">${escapeHtml(model.title)}</a>`
  const body =
    `<main data-live><div class="st ${tone}">${toneMark(tone)}<div><h1>${escapeHtml(words)}</h1><p>${link}</p></div></div>` +
    `<ul>${items.join('')}</ul></main>`
  return frame(model, place, { title: `${model.title}: ${words}`, tone, body, className: 'e' })
}

/** What happened in a month. */
export function renderStatusHistory(history: StatusHistory, place: StatusPlace): string {
  const { head, month, at } = history
  const past = pastByDay(history, at)
  const body = [
    pageHeader(head, ''),
    `<main><p><a href="${rootOf(place)}">Current status</a></p><h2>${monthText(month)}</h2>`,
    past === '' ? '<p class="none">Nothing happened in this month.</p>' : past,
    monthLinks(history, place),
    '</main>',
    pageFooter,
  ]
  return frame(head, place, {
    title: `${head.title}: ${monthText(month)}`,
    tone: 'plain',
    body: body.join('\n'),
    hasFeeds: true,
  })
}

function monthLinks({ month, first, last }: StatusHistory, { base }: StatusPlace): string {
  const link = (to: string): string => `<a href="${base}/history?month=${to.slice(0, 7)}">${monthText(to)}</a>`
  const before = monthOf(new Date(Date.parse(month) - 1).toISOString().slice(0, 10))
  const after = monthOf(new Date(Date.parse(month) + 32 * 86_400_000).toISOString().slice(0, 10))
  return `<nav aria-label="Months"><span>${month > first ? link(before) : ''}</span><span>${month < last ? link(after) : ''}</span></nav>`
}

function pageHeader({ title, description, homepage }: StatusHead, more: string): string {
  const name = escapeHtml(title)
  const shown = homepage === null ? name : `<a href="${escapeHtml(homepage)}" rel="noopener">${name}</a>`
  const about = description === '' ? '' : `<p>${richText(description)}</p>`
  return `<header><div><h1>${shown}</h1>${about}</div>${more}</header>`
}

function standingBox({ tone, words }: Standing, at: Date): string {
  return `<div class="st ${tone}">${toneMark(tone)}<div><h2>${escapeHtml(words)}</h2><p>As of ${moment(at)}</p></div></div>`
}

function hasBegun(at: Date): (maintenance: PlannedMaintenance) => boolean {
  return ({ startsAt }) => startsAt <= at
}

function comingArticle(maintenance: PlannedMaintenance): string {
  return maintenanceArticle(maintenance, { isOver: false, level: 3 })
}

function part(heading: string, articles: readonly string[]): string {
  return articles.length === 0 ? '' : `<section><h2>${heading}</h2>\n${articles.join('\n')}</section>`
}

function sectionPart({ name, monitors }: StatusModel['sections'][number]): string {
  const heading = name === '' ? '<h2 class="vh">Systems</h2>' : `<h2>${escapeHtml(name)}</h2>`
  return `<section>${heading}<ul class="c">\n${monitors.map(monitorItem).join('\n')}\n</ul></section>`
}

function pastPart({ ended, endedAnnouncements, at }: StatusModel, { base }: StatusPlace): string {
  const past = pastByDay({ incidents: ended, announcements: endedAnnouncements, maintenance: [] }, at)
  return [
    '<section><h2>Past incidents</h2>',
    past === '' ? `<p class="none">There were none in the last ${pastDays} days.</p>` : past,
    `<nav><a href="${base}/history">All incidents</a></nav></section>`,
  ].join('\n')
}

function updatesPart({ base, canSubscribe }: StatusPlace): string {
  const form = `<form class="f" method="post" action="${base}/subscribe">
<label class="vh" for="email">Email address</label><input id="email" name="email" type="email" required maxlength="254" autocomplete="email" placeholder="you@example.com">
<button type="submit">Subscribe</button></form>`
  return [
    `<aside id="updates" aria-labelledby="get"><h2 id="get">Get updates</h2>`,
    canSubscribe ? `<p>Be told by mail when something happens here.</p>${form}` : '',
    `<p class="l"><a href="${base}/feed.atom">Atom feed</a><a href="${base}/feed.rss">RSS feed</a><a href="${jsonAddress(base)}">JSON</a></p></aside>`,
  ].join('\n')
}

/** `/status/acme.json`, or `/status.json` at a domain of its own. */
export function jsonAddress(base: string): string {
  return base === '' ? '/status.json' : `${base}.json`
}

const pageFooter =
  '<footer><p><span>Times are UTC, or in your own zone where scripts run.</span><span>Made with Perigee</span></p></footer>'

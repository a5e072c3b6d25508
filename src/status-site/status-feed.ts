import { createHash } from 'node:crypto'
import {
  type MaintenanceNews,
  type PlannedMaintenance,
  type ShownIncident,
  type StatusModel,
  announcedDays,
} from '#core/status-pages/status-model.ts'
import { maintenanceNewsText, namesText, postTitle } from '#core/status-pages/status-words.ts'
import { dayMs, dayOf } from '#core/language/utc-day.ts'
import { type StatusPlace, withLanguage } from './status-frame.ts'
import { incidentTitle } from './status-incident.ts'
import { type PageTexts, momentText, spanText } from '#core/status-pages/page-texts.ts'

/** Something that happened: each has an id of its own for ever, so that a reader is told of it once. */
type Entry = { id: string; title: string; text: string; at: Date; updatedAt: Date; month: string }

const maxEntries = 50

/** RFC 4287. */
export function renderAtom(model: StatusModel, place: StatusPlace): string {
  const { title, id, createdAt } = model
  const { i18n } = place
  const entries = entriesOf(i18n, model)
  const updatedMs = Math.max(createdAt.getTime(), ...entries.map(({ updatedAt }) => updatedAt.getTime()))
  return document([
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${i18n.locale}">`,
    `<id>urn:uuid:${id}</id>`,
    `<title>${xml(title)}</title>`,
    `<updated>${new Date(updatedMs).toISOString()}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${xml(feedUrl(place, 'atom'))}"/>`,
    `<link rel="alternate" type="text/html" href="${xml(withLanguage(place.url, place.chosen))}"/>`,
    `<author><name>${xml(title)}</name></author>`,
    `<generator>Perigee</generator>`,
    ...entries.map((entry) => atomEntry(entry, place)),
    '</feed>',
  ])
}

function atomEntry({ id, title, text, at, updatedAt, month }: Entry, place: StatusPlace): string {
  return [
    `<entry><id>urn:uuid:${id}</id><title>${xml(title)}</title>`,
    `<published>${at.toISOString()}</published><updated>${updatedAt.toISOString()}</updated>`,
    `<link rel="alternate" type="text/html" href="${xml(historyUrl(place, month))}"/>`,
    `<content type="text">${xml(text)}</content></entry>`,
  ].join('')
}

/** RSS 2.0 with the one thing of Atom that validators ask for. */
export function renderRss(model: StatusModel, place: StatusPlace): string {
  const { title, description } = model
  const { i18n } = place
  return document([
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    `<title>${xml(title)}</title>`,
    `<link>${xml(withLanguage(place.url, place.chosen))}</link>`,
    `<description>${xml(description === '' ? i18n._('Updates of {title}', { title }) : description)}</description>`,
    `<language>${i18n.locale}</language>`,
    `<atom:link rel="self" type="application/rss+xml" href="${xml(feedUrl(place, 'rss'))}"/>`,
    ...entriesOf(i18n, model).map((entry) => rssItem(entry, place)),
    '</channel></rss>',
  ])
}

function rssItem({ id, title, text, at, month }: Entry, place: StatusPlace): string {
  return [
    `<item><guid isPermaLink="false">urn:uuid:${id}</guid><title>${xml(title)}</title>`,
    `<link>${xml(historyUrl(place, month))}</link><pubDate>${at.toUTCString()}</pubDate>`,
    // Readers take what is described as HTML, so that text is escaped twice.
    `<description>${xml(xml(text).replaceAll('\n', '<br/>'))}</description></item>`,
  ].join('')
}

/** The newest 50. */
function entriesOf(i18n: PageTexts, model: StatusModel): Entry[] {
  const incidents = [...model.running, ...model.ended].flatMap((incident) => incidentEntries(i18n, incident))
  const announcements = [...model.announcements, ...model.endedAnnouncements].map(
    ({ id, title, body, postedAt, editedAt }) =>
      withMonth({ id, title, text: body, at: postedAt, updatedAt: editedAt ?? postedAt }),
  )
  const moved = new Set(model.maintenanceNews.filter(({ type }) => type === 'changed').map(timeOfWindow))
  // What was announced as a change of another time is not announced once more.
  const planned = model.maintenance.filter(({ id, startsAt }) => !moved.has(timeOfWindow({ windowId: id, startsAt })))
  const maintenance = [
    ...planned.map((one) => maintenanceEntry(i18n, one)),
    ...model.maintenanceNews.map((one) => newsEntry(i18n, one)),
  ]
  return [...incidents, ...announcements, ...maintenance]
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, maxEntries)
}

/** Its beginning, what people wrote, and its end. */
function incidentEntries(
  i18n: PageTexts,
  { id, monitorName: name, startedAt, resolvedAt, posts }: ShownIncident,
): Entry[] {
  const month = dayOf(startedAt).slice(0, 7)
  const down = incidentTitle(i18n, { monitorName: name, resolvedAt: null })
  const start = momentText(i18n, startedAt)
  const opened = {
    id,
    title: down,
    text: i18n._('Since {start}.', { start }),
    at: startedAt,
    updatedAt: startedAt,
    month,
  }
  const written = posts.map((post) => ({
    id: post.id,
    title: postTitle(i18n, post.state, name),
    text: post.body,
    at: post.postedAt,
    updatedAt: post.editedAt ?? post.postedAt,
    month,
  }))
  if (resolvedAt === null) return [opened, ...written]
  const lasted = spanText(i18n, resolvedAt.getTime() - startedAt.getTime())
  const text = i18n._('From {start} to {end}, {lasted}.', { start, end: momentText(i18n, resolvedAt), lasted })
  const title = i18n._('{name} works again', { name })
  return [
    opened,
    ...written,
    { id: derivedId(`end of ${id}`), title, text, at: resolvedAt, updatedAt: resolvedAt, month },
  ]
}

const announcedMs = announcedDays * dayMs

/** A time of a window: it is announced when it comes near, or when it was planned if that was later. */
function maintenanceEntry(
  i18n: PageTexts,
  { id, title, description, startsAt, endsAt, createdAt, monitors }: PlannedMaintenance,
): Entry {
  const at = new Date(Math.max(createdAt.getTime(), startsAt.getTime() - announcedMs))
  const when = i18n._('From {start} to {end}: {names}.', {
    start: momentText(i18n, startsAt),
    end: momentText(i18n, endsAt),
    names: namesText(i18n, monitors),
  })
  return withMonth({
    id: derivedId(`maintenance ${id} at ${startsAt.toISOString()}`),
    title: i18n._('Maintenance: {title}', { title }),
    text: description === '' ? when : `${when}\n${description}`,
    at,
    updatedAt: at,
  })
}

function timeOfWindow({ windowId, startsAt }: Pick<MaintenanceNews, 'windowId' | 'startsAt'>): string {
  return `${windowId} ${startsAt.toISOString()}`
}

function newsEntry(i18n: PageTexts, { id, type, title, startsAt, endsAt, at }: MaintenanceNews): Entry {
  const { subject, sentence } = maintenanceNewsText(i18n, type, title)
  const text = i18n._('{sentence} From {start} to {end}.', {
    sentence,
    start: momentText(i18n, startsAt),
    end: momentText(i18n, endsAt),
  })
  return withMonth({ id, title: subject, text, at, updatedAt: at })
}

function withMonth(entry: Omit<Entry, 'month'>): Entry {
  return { ...entry, month: dayOf(entry.at).slice(0, 7) }
}

/** A UUID of something that has none, made of what it is: RFC 9562 5.8. */
function derivedId(what: string): string {
  const hex = createHash('sha256').update(what).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function feedUrl({ url, chosen }: StatusPlace, kind: 'atom' | 'rss'): string {
  return withLanguage(`${url.replace(/\/$/, '')}/feed.${kind}`, chosen)
}

function historyUrl({ url, chosen }: StatusPlace, month: string): string {
  return withLanguage(`${url.replace(/\/$/, '')}/history?month=${month}`, chosen)
}

function document(lines: readonly string[]): string {
  return ['<?xml version="1.0" encoding="utf-8"?>', ...lines, ''].join('\n')
}

/** XML 1.0 2.2: control characters but three cannot stand in a document, not even escaped. */
function xml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

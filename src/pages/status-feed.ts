import { createHash } from 'node:crypto'
import { type PlannedMaintenance, type ShownIncident, type StatusModel, announcedDays } from '#core/status-model.ts'
import { dayMs, dayOf } from '#core/utc-day.ts'
import type { StatusPlace } from './status-frame.ts'
import { incidentTitle, namesText, postWords } from './status-incident.ts'
import { momentText, spanText } from './status-text.ts'

/** Something that happened: each has an id of its own for ever, so that a reader is told of it once. */
type Entry = { id: string; title: string; text: string; at: Date; updatedAt: Date; month: string }

const maxEntries = 50

/** RFC 4287. */
export function renderAtom(model: StatusModel, place: StatusPlace): string {
  const { title, id, createdAt } = model
  const entries = entriesOf(model)
  const updatedMs = Math.max(createdAt.getTime(), ...entries.map(({ updatedAt }) => updatedAt.getTime()))
  return document([
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `<id>urn:uuid:${id}</id>`,
    `<title>${xml(title)}</title>`,
    `<updated>${new Date(updatedMs).toISOString()}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${xml(feedUrl(place, 'atom'))}"/>`,
    `<link rel="alternate" type="text/html" href="${xml(place.url)}"/>`,
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
  return document([
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    `<title>${xml(title)}</title>`,
    `<link>${xml(place.url)}</link>`,
    `<description>${xml(description === '' ? `What happens at ${title}` : description)}</description>`,
    '<language>en</language>',
    `<atom:link rel="self" type="application/rss+xml" href="${xml(feedUrl(place, 'rss'))}"/>`,
    ...entriesOf(model).map((entry) => rssItem(entry, place)),
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
function entriesOf(model: StatusModel): Entry[] {
  const incidents = [...model.running, ...model.ended].flatMap(incidentEntries)
  const announcements = [...model.announcements, ...model.endedAnnouncements].map(
    ({ id, title, body, postedAt, editedAt }) =>
      withMonth({ id, title, text: body, at: postedAt, updatedAt: editedAt ?? postedAt }),
  )
  return [...incidents, ...announcements, ...model.maintenance.map(maintenanceEntry)]
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, maxEntries)
}

/** Its beginning, what people wrote, and its end. */
function incidentEntries({ id, monitorName, startedAt, resolvedAt, posts }: ShownIncident): Entry[] {
  const month = dayOf(startedAt).slice(0, 7)
  const down = incidentTitle({ monitorName, resolvedAt: null })
  const opened = {
    id,
    title: down,
    text: `Since ${momentText(startedAt)}.`,
    at: startedAt,
    updatedAt: startedAt,
    month,
  }
  const written = posts.map((post) => ({
    id: post.id,
    title: `${postWords[post.state]}: ${monitorName}`,
    text: post.body,
    at: post.postedAt,
    updatedAt: post.editedAt ?? post.postedAt,
    month,
  }))
  if (resolvedAt === null) return [opened, ...written]
  const lasted = spanText(resolvedAt.getTime() - startedAt.getTime())
  const text = `From ${momentText(startedAt)} to ${momentText(resolvedAt)}, ${lasted}.`
  const title = `${monitorName} works again`
  return [
    opened,
    ...written,
    { id: derivedId(`end of ${id}`), title, text, at: resolvedAt, updatedAt: resolvedAt, month },
  ]
}

const announcedMs = announcedDays * dayMs

/** A time of a window: it is announced when it comes near, or when it was planned if that was later. */
function maintenanceEntry({
  id,
  title,
  description,
  startsAt,
  endsAt,
  createdAt,
  monitors,
}: PlannedMaintenance): Entry {
  const at = new Date(Math.max(createdAt.getTime(), startsAt.getTime() - announcedMs))
  const text = [`From ${momentText(startsAt)} to ${momentText(endsAt)}: ${namesText(monitors)}.`, description]
  return withMonth({
    id: derivedId(`maintenance ${id} at ${startsAt.toISOString()}`),
    title: `Maintenance: ${title}`,
    text: text.filter((line) => line !== '').join('\n'),
    at,
    updatedAt: at,
  })
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

function feedUrl({ url }: StatusPlace, kind: 'atom' | 'rss'): string {
  return `${url.replace(/\/$/, '')}/feed.${kind}`
}

function historyUrl({ url }: StatusPlace, month: string): string {
  return `${url.replace(/\/$/, '')}/history?month=${month}`
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

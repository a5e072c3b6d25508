import type { Announcement, PlannedMaintenance, ShownIncident, ShownPost } from '#core/status-model.ts'
import type { PostState } from '#core/status-page.ts'
import { dayOf } from '#core/utc-day.ts'
import { escapeHtml } from './page.ts'
import { dayText, moment, richText, spanText } from './status-text.ts'

export const postWords: Readonly<Record<PostState, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
}

/** `level`: of its heading. */
export function incidentArticle(incident: ShownIncident, { now, level }: { now: Date; level: 3 | 4 }): string {
  const { startedAt, resolvedAt, posts } = incident
  const lasted = spanText((resolvedAt ?? now).getTime() - startedAt.getTime())
  const when =
    resolvedAt === null
      ? `Since ${moment(startedAt)}, for ${lasted}`
      : `${moment(startedAt)} to ${moment(resolvedAt)}, ${lasted}`
  return [
    `<article class="c i ${resolvedAt === null ? 'bad' : 'good'}"><div><h${level}>${escapeHtml(incidentTitle(incident))}</h${level}>`,
    `<p class="t">${when}</p></div>`,
    posts.length === 0 ? '' : `<ol class="o">${posts.map(postItem).join('')}</ol>`,
    '</article>',
  ].join('')
}

export function incidentTitle({ monitorName, resolvedAt }: Pick<ShownIncident, 'monitorName' | 'resolvedAt'>): string {
  return resolvedAt === null ? `${monitorName} is down` : `${monitorName} was down`
}

function postItem({ state, body, postedAt, editedAt }: ShownPost): string {
  return `<li><strong>${postWords[state]}</strong> <span class="t">${moment(postedAt)}${editedMark(editedAt)}</span><p>${richText(body)}</p></li>`
}

export function announcementArticle({ title, body, postedAt, editedAt }: Announcement, level: 3 | 4): string {
  return [
    `<article class="c i"><div><h${level}>${escapeHtml(title)}</h${level}>`,
    `<p class="t">${moment(postedAt)}${editedMark(editedAt)}</p></div><p>${richText(body)}</p></article>`,
  ].join('')
}

const maxNamed = 10

/** `isOver`: it stands in the history. */
export function maintenanceArticle(
  { title, description, startsAt, endsAt, monitors }: PlannedMaintenance,
  { isOver, level }: { isOver: boolean; level: 3 | 4 },
): string {
  const about = `<p class="t">${escapeHtml(namesText(monitors))}</p>`
  return [
    `<article class="c i ${isOver ? 'plain' : 'warning'}"><div><h${level}>${isOver ? 'Maintenance: ' : ''}${escapeHtml(title)}</h${level}>`,
    `<p class="t">${moment(startsAt)} to ${moment(endsAt)}</p>${about}</div>`,
    description === '' ? '' : `<p>${richText(description)}</p>`,
    '</article>',
  ].join('')
}

/** The names of some, and how many more there are. */
export function namesText(names: readonly string[]): string {
  const more = names.length - maxNamed
  return `${names.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function editedMark(editedAt: Date | null): string {
  return editedAt === null ? '' : ', edited'
}

type Past = { at: Date; html: string }

export type PastEvents = {
  incidents: readonly ShownIncident[]
  announcements: readonly Announcement[]
  maintenance: readonly PlannedMaintenance[]
}

/** What happened by the day on which it began, UTC, the newest first. Empty without anything. */
export function pastByDay({ incidents, announcements, maintenance }: PastEvents, now: Date): string {
  const all: Past[] = [
    ...maintenance.map((one) => ({ at: one.startsAt, html: maintenanceArticle(one, { isOver: true, level: 4 }) })),
    ...incidents.map((incident) => ({ at: incident.startedAt, html: incidentArticle(incident, { now, level: 4 }) })),
    ...announcements.map((one) => ({ at: one.postedAt, html: announcementArticle(one, 4) })),
  ]
  const sorted = all.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  const byDay = Map.groupBy(sorted, ({ at }) => dayOf(at))
  return [...byDay]
    .map(([day, ofDay]) => `<h3 class="y">${dayText(day)}</h3>${ofDay.map(({ html }) => html).join('\n')}`)
    .join('\n')
}

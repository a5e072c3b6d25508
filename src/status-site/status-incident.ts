import type { Announcement, PlannedMaintenance, ShownIncident, ShownPost } from '#core/status-pages/status-model.ts'
import { namesText, postText } from '#core/status-pages/status-words.ts'
import { dayOf } from '#core/language/utc-day.ts'
import { escapeHtml } from '#http/html-page.ts'
import { postMortemHtml } from './post-mortem.ts'
import { type PageTexts, spanText } from '#core/status-pages/page-texts.ts'
import { moment, richText, withPieces } from './status-text.ts'

/** `level`: of its heading. */
export function incidentArticle(
  i18n: PageTexts,
  incident: ShownIncident,
  { now, level }: { now: Date; level: 3 | 4 },
): string {
  const { startedAt, resolvedAt, posts } = incident
  const lasted = spanText(i18n, (resolvedAt ?? now).getTime() - startedAt.getTime())
  const when =
    resolvedAt === null
      ? withPieces(i18n._('Since <start/>, for {lasted}', { lasted }), { '<start/>': moment(i18n, startedAt) })
      : withPieces(i18n._('<start/> to <end/>, {lasted}', { lasted }), {
          '<start/>': moment(i18n, startedAt),
          '<end/>': moment(i18n, resolvedAt),
        })
  return [
    `<article class="c i ${resolvedAt === null ? 'bad' : 'good'}"><div><h${level}>${escapeHtml(incidentTitle(i18n, incident))}</h${level}>`,
    `<p class="t">${when}</p></div>`,
    posts.length === 0 ? '' : `<ol class="o">${posts.map((post) => postItem(i18n, post)).join('')}</ol>`,
    '</article>',
  ].join('')
}

export function incidentTitle(
  i18n: PageTexts,
  { monitorName: name, resolvedAt, byHand = false }: Pick<ShownIncident, 'monitorName' | 'resolvedAt' | 'byHand'>,
): string {
  if (byHand) return i18n._('{name}: incident', { name })
  return resolvedAt === null ? i18n._('{name} is down', { name }) : i18n._('{name} was down', { name })
}

function postItem(i18n: PageTexts, { state, body, postedAt, editedAt }: ShownPost): string {
  const text = state === 'postmortem' ? postMortemHtml(body) : `<p>${richText(body)}</p>`
  return `<li><strong>${escapeHtml(postText(i18n, state))}</strong> <span class="t">${postedText(i18n, postedAt, editedAt)}</span>${text}</li>`
}

export function announcementArticle(
  i18n: PageTexts,
  { title, body, postedAt, editedAt }: Announcement,
  level: 3 | 4,
): string {
  return [
    `<article class="c i"><div><h${level}>${escapeHtml(title)}</h${level}>`,
    `<p class="t">${postedText(i18n, postedAt, editedAt)}</p></div><p>${richText(body)}</p></article>`,
  ].join('')
}

/** `isOver`: it stands in the history. */
export function maintenanceArticle(
  i18n: PageTexts,
  { title, description, startsAt, endsAt, monitors }: PlannedMaintenance,
  { isOver, level }: { isOver: boolean; level: 3 | 4 },
): string {
  const about = `<p class="t">${escapeHtml(namesText(i18n, monitors))}</p>`
  const heading = isOver ? i18n._('Maintenance: {title}', { title }) : title
  const when = withPieces(i18n._('<start/> to <end/>'), {
    '<start/>': moment(i18n, startsAt),
    '<end/>': moment(i18n, endsAt),
  })
  return [
    `<article class="c i ${isOver ? 'plain' : 'maintenance'}"><div><h${level}>${escapeHtml(heading)}</h${level}>`,
    `<p class="t">${when}</p>${about}</div>`,
    description === '' ? '' : `<p>${richText(description)}</p>`,
    '</article>',
  ].join('')
}

function postedText(i18n: PageTexts, postedAt: Date, editedAt: Date | null): string {
  const posted = moment(i18n, postedAt)
  return editedAt === null ? posted : withPieces(i18n._('<posted/>, edited'), { '<posted/>': posted })
}

type Past = { at: Date; html: string }

export type PastEvents = {
  incidents: readonly ShownIncident[]
  announcements: readonly Announcement[]
  maintenance: readonly PlannedMaintenance[]
}

/** What happened by the day on which it began, UTC, the newest first. Empty without anything. */
export function pastByDay(i18n: PageTexts, { incidents, announcements, maintenance }: PastEvents, now: Date): string {
  const all: Past[] = [
    ...maintenance.map((one) => ({
      at: one.startsAt,
      html: maintenanceArticle(i18n, one, { isOver: true, level: 4 }),
    })),
    ...incidents.map((incident) => ({
      at: incident.startedAt,
      html: incidentArticle(i18n, incident, { now, level: 4 }),
    })),
    ...announcements.map((one) => ({ at: one.postedAt, html: announcementArticle(i18n, one, 4) })),
  ]
  const sorted = all.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  const byDay = Map.groupBy(sorted, ({ at }) => dayOf(at))
  return [...byDay]
    .map(([day, ofDay]) => `<h3 class="y">${escapeHtml(i18n.day(day))}</h3>${ofDay.map(({ html }) => html).join('\n')}`)
    .join('\n')
}

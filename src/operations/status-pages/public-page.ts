import {
  type Announcement,
  type PlannedMaintenance,
  type SignedUntil,
  type ShownIncident,
  type StatusHead,
  type StatusModel,
  nameIncidents,
  statusModel,
} from '#core/status-pages/status-model.ts'
import { headHash } from '#core/proofs/signed-history.ts'
import { monthOf, nextMonth, startOf } from '#core/language/utc-day.ts'
import { findFirstMaintenance, listPastMaintenance } from '#store/maintenance/maintenance-notices.ts'
import { findBeginning, listAnnouncementsOf, listIncidents } from '#store/status-pages/page-history.ts'
import { readPicture } from '#store/status-pages/images.ts'
import { readLastHead } from '#store/results/signed-days.ts'
import { type StatusPage, findPageAt } from '#store/status-pages/status-pages.ts'
import { type DraftMonitors, readNames, readStatusReport } from '#store/status-pages/page-reports.ts'
import type { Services } from '#operations/pipeline/services.ts'

type Parts = Pick<Services, 'database'>

/** The published page at an address; a draft counts as none. */
export type PublicPage = StatusPage

export async function findPublicPage(
  { database }: Parts,
  at: { slug: string } | { domain: string },
): Promise<PublicPage | null> {
  // No page has such an address, and PostgreSQL takes no such text.
  if (('slug' in at ? at.slug : at.domain).includes('\0')) return null
  const page = await findPageAt(database, at)
  return page === null || page.visibility === 'draft' ? null : page
}

/** The bytes of a picture of the page; null where it has it no more. */
export function readPageImage(
  { database }: Parts,
  page: PublicPage,
  hash: string,
): Promise<Buffer<ArrayBuffer> | null> {
  return readPicture(database, page, hash)
}

/** The content of the page now; with other monitors than it has, where these are given. */
export async function readStatusModel(
  { database }: Parts,
  page: PublicPage,
  { now, monitors }: { now: Date; monitors?: DraftMonitors },
): Promise<StatusModel> {
  const head = headOf(page)
  const report = await readStatusReport(database, {
    head,
    workspaceId: page.workspaceId,
    now,
    ...(monitors && { monitors }),
  })
  const signedUntil = await readSignedUntil(database)
  return statusModel(head, report, { now, signedUntil })
}

/** What happened in one month, the newest first, and which months there are. Months are named by their first days. */
export type StatusHistory = {
  head: StatusHead
  at: Date
  month: string
  /** The first that has something. */
  first: string
  /** The current one. */
  last: string
  incidents: ShownIncident[]
  announcements: Announcement[]
  /** Incidents and windows that are over. */
  maintenance: PlannedMaintenance[]
}

const maxOfMonth = 200

/** Null for a month before the first, or one to come. */
export async function readStatusHistory(
  { database }: Parts,
  page: PublicPage,
  { month, now }: { month: string | null; now: Date },
): Promise<StatusHistory | null> {
  const { id: pageId, workspaceId } = page
  const monitors = await readNames(database, { pageId, workspaceId, now })
  const monitorIds = monitors.map(({ id }) => id)
  const beginnings = await Promise.all([
    findBeginning(database, { pageId, workspaceId, monitorIds }),
    findFirstMaintenance(database, { pageId, workspaceId, now }),
  ])
  const [beginning = null] = beginnings
    .filter((each) => each !== null)
    .toSorted((one, other) => one.getTime() - other.getTime())
  const last = monthOf(now.toISOString().slice(0, 10))
  const first = beginning === null ? last : monthOf(beginning.toISOString().slice(0, 10))
  const asked = month ?? last
  if (asked < first || asked > last) return null
  const time = { from: startOf(asked), until: startOf(nextMonth(asked)), limit: maxOfMonth }
  const [incidents, announcements, maintenance] = await Promise.all([
    listIncidents(database, { workspaceId, monitorIds, state: 'any', ...time, now }),
    listAnnouncementsOf(database, { pageId, ...time }),
    listPastMaintenance(database, { pageId, workspaceId, from: time.from, until: time.until, now }),
  ])
  return {
    head: headOf(page),
    at: now,
    month: asked,
    first,
    last,
    incidents: nameIncidents(incidents, monitors),
    announcements,
    maintenance,
  }
}

async function readSignedUntil({ pool }: Parts['database']): Promise<SignedUntil | null> {
  const head = await readLastHead(pool)
  return head === null ? null : { day: head.day, hash: headHash(head) }
}

function headOf(page: StatusPage): StatusHead {
  const { id, slug, title, description, homepage, domain, theme, accent, layout, logo, favicon } = page
  const { history, responseCharts, createdAt } = page
  const looks = { theme, accent, layout, logo, favicon }
  return { id, slug, title, description, homepage, domain, ...looks, history, responseCharts, createdAt }
}

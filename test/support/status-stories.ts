// A status page on which everything happens that can, and all that its subscribers are told. What people wrote has no
// Latin letter, so that whatever has one is ours.
import type { StatusNews } from '#contacts/mails/status-mails.ts'
import {
  type ReportedIncident,
  type ReportedMonitor,
  type StatusHead,
  type StatusModel,
  statusModel,
} from '#core/status-pages/status-model.ts'
import { type PostState, type StatusEventType, postStates } from '#core/status-pages/status-page.ts'
import type { PageState } from '#core/status-pages/status-standing.ts'
import type { DayCounts } from '#core/results/uptime.ts'
import { addDays } from '#core/language/utc-day.ts'

export const storyAt = new Date('2026-11-21T10:00:00Z')
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const ago = (ms: number): Date => new Date(storyAt.getTime() - ms)

const allStates = {
  up: true,
  degraded: true,
  down: true,
  maintenance: true,
  paused: true,
  pending: true,
} as const satisfies Record<PageState, true>
/** Every one that there is. */
export const pageStates = Object.keys(allStates).filter((state): state is PageState => state in allStates)

const head: StatusHead = {
  id: '6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22',
  slug: '0',
  title: 'Приклад',
  description: '',
  homepage: null,
  domain: null,
  theme: 'auto',
  accent: null,
  layout: 'list',
  logo: null,
  favicon: null,
  history: '90_days',
  responseCharts: true,
  createdAt: ago(2000 * hourMs),
}

/** `isWhole`: with the whole history instead of 90 days. */
export function storyOf({ isWhole }: { isWhole: boolean }): StatusModel {
  const monitors = [...pageStates.map((state, index) => monitorOf({ id: `${index}`, state })), ...special]
  return statusModel(
    { ...head, history: isWhole ? 'whole' : '90_days' },
    {
      sections: ['', 'Крамниця'],
      monitors,
      running: [{ ...incidentOf(5 * minuteMs), resolvedAt: null, monitorId: `${pageStates.indexOf('down')}` }],
      ended: [0.5, 4, 60, 125, 1440, 4560].map((minutes) => incidentOf(minutes * minuteMs)),
      announcements: [{ ...announcement, endsAt: null, editedAt: storyAt }],
      endedAnnouncements: [{ ...announcement, id: '2' }],
      maintenance: [maintenanceOf(-1, 2), maintenanceOf(24, 11)],
      maintenanceNews: (['changed', 'cancelled', 'begun', 'ended'] as const).map((type) => ({
        id: type,
        type,
        windowId: '3',
        title: 'Диски',
        startsAt: ago(-24 * hourMs),
        endsAt: ago(-26 * hourMs),
        at: storyAt,
      })),
    },
    { now: storyAt, signedUntil: { day: '2026-11-20', hash: '12'.repeat(32) } },
  )
}

function monitorOf(of: Partial<ReportedMonitor> & { id: string }): ReportedMonitor {
  return {
    name: 'Сайт',
    section: 0,
    charts: 'both',
    state: 'up',
    since: '2024-01-01',
    watchedSince: new Date('2024-01-01'),
    days: Array.from({ length: 90 }, (_, back) => dayOf(back, back % 7 === 1 ? 11 : 0)),
    periods: Array.from({ length: 24 }, (_, index) => periodOf(index, index % 5 === 0 ? 600 : 0)),
    responses: [
      [0, 100],
      [96, 200],
    ],
    ...of,
  }
}

const today = '2026-11-21'

function dayOf(back: number, down: number, restricted = 0): DayCounts {
  return { ...countsOf(down, restricted), date: addDays(today, -back) }
}

function periodOf(index: number, down: number): DayCounts {
  const month = `${1 + (index % 12)}`.padStart(2, '0')
  return { ...countsOf(down, 0), date: `${2024 + Math.floor(index / 12)}-${month}-01` }
}

function countsOf(down: number, restricted: number): Omit<DayCounts, 'date'> {
  const checks = 1440
  return { checks, up: checks - down - restricted, down, restricted, latencySumMs: 120 * checks, latencyCount: checks }
}

const level: ReportedMonitor['responses'] = [
  [0, 100],
  [96, 100],
]

/** Each has something of its own: no checks, new ones, one bad day, a degraded one, level or no response times. */
const special: ReportedMonitor[] = [
  monitorOf({ id: 'none', since: null, watchedSince: null, days: [], periods: [], responses: [] }),
  monitorOf({ id: 'one', section: 1, days: [dayOf(2, 1440)], periods: [periodOf(3, 600)], responses: level }),
  monitorOf({ id: 'degraded', days: [dayOf(1, 0, 7)], periods: [] }),
  monitorOf({ id: 'new', since: today, watchedSince: ago(3 * minuteMs), days: [dayOf(0, 0)], periods: [] }),
  monitorOf({ id: 'response', charts: 'response', responses: [] }),
]

function incidentOf(lastedMs: number): ReportedIncident {
  return {
    id: `incident ${lastedMs}`,
    monitorId: 'one',
    startedAt: ago(lastedMs + hourMs),
    resolvedAt: ago(hourMs),
    posts: postStates.map((state, index) => ({
      id: `post ${index}`,
      state,
      body: 'Ми працюємо.',
      postedAt: ago(hourMs),
      editedAt: index === 0 ? storyAt : null,
    })),
  }
}

const announcement = {
  id: '1',
  title: 'Свято',
  body: 'Нас немає.',
  postedAt: ago(hourMs),
  endsAt: storyAt,
  editedAt: null,
}

function maintenanceOf(inHours: number, monitors: number): StatusModel['maintenance'][number] {
  return {
    id: `maintenance ${inHours}`,
    title: 'Диски',
    description: 'Нові.',
    startsAt: ago(-inHours * hourMs),
    endsAt: ago(-(inHours + 2) * hourMs),
    createdAt: ago(100 * hourMs),
    monitors: Array.from({ length: monitors }, (_, index) => `Сайт ${index}`),
  }
}

/** The news that subscribers get of an event, in all forms of a post when it is one. */
export function newsOf(type: StatusEventType): StatusNews[] {
  const news: StatusNews = {
    eventId: '7',
    type,
    at: storyAt,
    page: { id: head.id, title: head.title, url: 'https://perigee.example/status/0' },
    logo: null,
    incident: null,
    post: null,
    maintenance: null,
  }
  const incident = { id: '8', name: 'Сайт', startedAt: ago(hourMs), resolvedAt: type === 'opened' ? null : storyAt }
  const postOf = (state: PostState | null): StatusNews => {
    const post = { id: '9', state, title: null, body: 'Ми працюємо.', postedAt: storyAt }
    return { ...news, incident: state === null ? null : incident, post }
  }
  switch (type) {
    case 'opened':
      return [
        { ...news, incident },
        { ...news, incident: null },
      ]
    case 'resolved':
      return [{ ...news, incident }]
    case 'post':
      return [null, ...postStates].map(postOf)
    case 'maintenance_planned':
    case 'maintenance_changed':
    case 'maintenance_cancelled':
    case 'maintenance_begun':
    case 'maintenance_ended':
      return [{ ...news, maintenance: maintenanceOf(24, 12) }]
  }
}

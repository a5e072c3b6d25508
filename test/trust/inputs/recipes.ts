// Bodies that make an object, by the list that it is added to. The workspace is filled with them, and valid inputs of
// these operations begin with them: what only the rules beyond the schema ask for is in them.
import { kinds } from '#kinds/index.ts'
import { exampleOf } from '../../support/kind-pages.ts'
import { type Ids, newest } from './ids.ts'

export type Making = { target: string; ids: Ids; unique: string }

const hourMs = 3_600_000
const draw = (ids: Ids, list: string): string => ids.pick(list, newest)?.at(-1) ?? ''

export const recipes: Readonly<Record<string, (making: Making) => unknown>> = {
  '/alert-channels': ({ target, unique }) => ({
    name: `Hook ${unique}`,
    kind: 'webhook',
    destination: `${target}/hook`,
  }),
  '/monitors': ({ target, ids, unique }) => ({
    name: `Shop ${unique}`,
    url: `${target}/${Number.parseInt(unique[0] ?? '0', 16) % 3 === 0 ? 'down' : 'up'}`,
    interval_seconds: 30,
    tags: ['shop'],
    alert_channel_ids: [draw(ids, '/alert-channels')],
  }),
  '/escalation-policies': ({ ids, unique }) => ({
    name: `Policy ${unique}`,
    steps: [{ after_minutes: 0, contact_ids: [draw(ids, '/alert-channels')] }],
  }),
  '/on-call-schedules': ({ ids, unique }) => ({
    name: `Turns ${unique}`,
    time_zone: 'Europe/Sofia',
    layers: [
      {
        participants: [draw(ids, '/alert-channels')],
        rotation: { every: 1, unit: 'weeks' },
        hand_over: '09:00',
        start_date: '2026-11-02',
      },
    ],
  }),
  '/on-call-schedules/{id}/overrides': ({ ids, unique }) => ({
    starts_at: new Date(Date.now() + (Number.parseInt(unique.slice(0, 4), 16) % 2000) * hourMs).toISOString(),
    ends_at: new Date(Date.now() + 2100 * hourMs).toISOString(),
    contact_id: draw(ids, '/alert-channels'),
  }),
  '/incidents': ({ ids, unique }) => ({ monitor_id: draw(ids, '/monitors'), title: `Trouble ${unique}`, cause: null }),
  '/incidents/{id}/comments': () => ({ body: 'The queue was replayed.' }),
  '/slos': ({ ids, unique }) => ({ name: `Goal ${unique}`, monitor_ids: [draw(ids, '/monitors')], objective: 99.9 }),
  '/status-pages': ({ ids, unique }) => ({
    slug: `page-${unique}`,
    title: `Page ${unique}`,
    sections: [{ name: 'All', monitors: [{ monitor_id: draw(ids, '/monitors') }] }],
  }),
  '/status-pages/{id}/subscribers': ({ unique }) => ({ destination: `https://example.com/${unique}` }),
  '/status-pages/{id}/announcements': ({ unique }) => ({
    title: `News ${unique}`,
    body: 'All is well.',
    notify: false,
  }),
  '/maintenance-windows': ({ ids, unique }) => ({
    name: `Work ${unique}`,
    schedule: { type: 'cron', expression: '0 3 * * 1', duration_minutes: 30 },
    monitor_ids: [draw(ids, '/monitors')],
  }),
  '/single-sign-on/domains': ({ unique }) => ({ domain: `d-${unique}.example` }),
  '/screens': ({ unique }) => ({ name: `Screen ${unique}` }),
  '/saved-views': ({ unique }) => ({ name: `View ${unique}`, view: { q: 'shop' } }),
  '/workspaces': ({ unique }) => ({ name: `Throwaway ${unique}` }),
  '/invitations': ({ unique }) => ({ email: `new-${unique}@example.com`, role: 'viewer' }),
  '/api-tokens': ({ unique }) => ({ name: `Token ${unique}`, scope: 'read', expires_at: null }),
}

/** One monitor of each kind, as the page of the kind shows it. */
export function monitorExamples(): unknown[] {
  return Object.keys(kinds).map((kind) => exampleOf(kind))
}

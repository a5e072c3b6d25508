// What a request of each operation says. Ids in it are drawn from a workspace, or are of things that are not there.
import { randomUUID } from 'node:crypto'
import type { AnyOperation } from '#operations/pipeline/operation.ts'
import { opsgenieExport } from '../../support/on-call-exports.ts'
import { type Ids, newest } from '../inputs/ids.ts'
import { recipes } from '../inputs/recipes.ts'
import { binary, onePixel } from './workspace.ts'

export type Request = { path: string; body?: unknown; rawBody?: string; headers?: Record<string, string> }

const url = 'https://target.example'
const once = {
  type: 'once',
  starts_at: new Date(Date.now() + 3_600_000).toISOString(),
  ends_at: new Date(Date.now() + 7_200_000).toISOString(),
}

type Draw = (list: string) => string

/** Bodies by operation, where `recipes` has none for its path. */
const bodies: Readonly<Record<string, (draw: Draw) => unknown>> = {
  update_billing_details: () => ({ billing_name: 'Example OOD' }),
  update_alert_channel: () => ({ name: 'Another' }),
  preview_alert_templates: (draw) => ({
    kind: 'slack',
    templates: { title: '{{ monitor.name }}', body: null },
    incident_id: draw('/incidents'),
  }),
  update_escalation_policy: (draw) => ({ steps: [{ after_minutes: 0, contact_ids: [draw('/alert-channels')] }] }),
  update_on_call_schedule: () => ({ name: 'By day' }),
  import_on_call_schedules: (draw) => ({
    source: 'opsgenie',
    content: JSON.stringify(opsgenieExport),
    people: { 'ada@example.com': draw('/alert-channels') },
  }),
  create_report: (draw) => ({
    name: `Report ${randomUUID()}`,
    period: 'weekly',
    time_zone: 'UTC',
    monitor_ids: [draw('/monitors')],
    recipients: [draw('/mailboxes')],
  }),
  update_report: (draw) => ({ monitor_ids: [draw('/monitors')] }),
  update_monitor: (draw) => ({ name: 'Renamed', alert_channel_ids: [draw('/alert-channels')] }),
  renew_monitor: () => ({}),
  quote_monitor: (draw) => ({ name: 'Quoted', url, alert_channel_ids: [draw('/alert-channels')] }),
  quote_monitor_change: (draw) => ({ name: 'Quoted', alert_channel_ids: [draw('/alert-channels')] }),
  import_days: () => ({ source: 'Other', days: [{ date: '2026-11-19', up: 9, down: 0, latency_ms: 1 }] }),
  update_incident_comment: () => ({ body: 'Told anew.' }),
  assign_incident: (draw) => ({ person_id: draw('/members') }),
  update_slo: (draw) => ({ monitor_ids: [draw('/monitors')] }),
  top_up_credit: () => ({ amount_cents: 500 }),
  mark_finding_fixed: () => ({ version: '2.0.0' }),
  import_software: () => ({ content: 'nginx 1.27.4', name: 'By hand' }),
  add_software: () => ({ name: 'npm:other-package', version: '1.2.3' }),
  update_software: () => ({ version: '1.2.4' }),
  update_saved_view: () => ({ name: `View ${randomUUID().slice(0, 8)}` }),
  set_identity_provider: () => ({
    name: 'Login',
    issuer: 'https://login.example',
    client_id: 'perigee',
    client_secret: 'secret',
  }),
  update_screen: () => ({ name: 'Renamed' }),
  update_agent: () => ({ budget_cents: 100 }),
  authorize_device: () => ({ user_code: 'BCDF-GHJK', is_let_in: true }),
  authorize_program: () => ({
    request: { client_id: 'unknown', redirect_uri: 'https://a.example/' },
    scopes: ['read'],
  }),
  complete_claim: () => ({ claim_attempt_token: 'cat_unknown', user_code: '123456' }),
  rename_workspace: () => ({ name: 'Renamed' }),
  update_status_page: (draw) => ({ sections: [{ name: 'All', monitors: [{ monitor_id: draw('/monitors') }] }] }),
  set_status_page_logo: () => ({ image: onePixel, alt: 'Logo' }),
  set_status_page_favicon: () => ({ image: onePixel }),
  preview_status_page_draft: (draw) => ({
    page: draw('/status-pages'),
    title: 'Draft',
    sections: [{ name: 'All', monitors: [{ monitor_id: draw('/monitors') }] }],
  }),
  create_incident_post: () => ({ state: 'investigating', body: 'We look into it.', notify: false }),
  update_status_post: () => ({ body: 'Told anew.' }),
  view_takeover: () => ({ api_key: 'pgk_unknown' }),
  take_over_workspace: () => ({ api_key: 'pgk_unknown' }),
  change_member_role: () => ({ role: 'owner' }),
  accept_invitation: () => ({ token: 'unknown' }),
  update_maintenance_window: (draw) => ({ name: 'Work', schedule: once, monitor_ids: [draw('/monitors')] }),
  preview_maintenance: () => ({ schedule: once }),
  try_monitor: (draw) => ({ name: 'Tried', url, alert_channel_ids: [draw('/alert-channels')] }),
  try_monitor_change: () => ({ name: 'Tried' }),
  change_monitors: (draw) => ({ action: 'pause', monitor_ids: [draw('/monitors')] }),
  own_project_objects: (draw) => ({
    project: 'shop',
    objects: [{ section: 'monitors', key: 'site', id: draw('/monitors') }],
  }),
  compare_secrets: (draw) => ({
    objects: [
      {
        section: 'monitors',
        id: draw('/monitors'),
        secrets: [{ path: ['request_headers', 'authorization'], value: 'x' }],
      },
    ],
  }),
  import_call_addresses: (draw) => ({
    addresses: [{ path: `/ping/${randomUUID()}`, monitor_id: draw('/heartbeats') }],
  }),
  continue_import: () => ({ again: true }),
}

/** Queries of operations that need one, or in which an id can stand. */
const queries: Readonly<Record<string, (draw: Draw) => string>> = {
  list_incidents: (draw) => `monitor_id=${draw('/monitors')}`,
  remove_software_import: () => 'file=By%20hand',
  read_device_authorization: () => 'user_code=BCDF-GHJK',
  read_authorization: () => 'client_id=unknown&redirect_uri=https%3A%2F%2Fa.example%2F',
  read_claim_attempt: () => 'claim_attempt_token=cat_unknown',
  check_status_address: (draw) => `slug=unused-address&page=${draw('/status-pages')}`,
  check_status_accent: () => 'accent=%23ffcc00',
  list_audit_entries: (draw) => `target_id=${draw('/monitors')}`,
  read_import: () => 'file_name=a.txt',
  start_import: () => 'file_name=b.txt&project=another',
}

/** Where not any thing of its list will do. */
const otherLists: Readonly<Record<string, string>> = {
  get_call_address: '/heartbeats',
  replace_call_address: '/heartbeats',
  resend_confirmation: '/unconfirmed',
}

/** The members of a path are drawn from the list before the last of them: a comment with its incident. */
export function requestOf(operation: AnyOperation, ids: Pick<Ids, 'pick' | 'forMember'>): Request {
  const { name, path, method, body, file } = operation
  const draw: Draw = (list) => ids.pick(list, newest)?.at(-1) ?? nothingIn(name, list)
  const query = queries[name]?.(draw)
  const address = addressOf(operation, ids) + (query === undefined ? '' : `?${query}`)
  if (file !== undefined) return { path: address, rawBody: `${url}/${randomUUID()} Site`, headers: binary }
  if (body === undefined) return { path: address }
  const making = { target: url, ids: { ...unusedIds, ...ids }, unique: randomUUID().slice(0, 8) }
  const made = bodies[name]?.(draw) ?? (method === 'POST' ? recipes[path]?.(making) : undefined)
  if (made === undefined) throw new Error(`Say in test/trust/isolation/bodies.ts what ${name} is sent.`)
  return { path: address, body: made }
}

function addressOf({ name, path }: AnyOperation, ids: Pick<Ids, 'pick'>): string {
  const [last] = [...path.matchAll(/\{\w+\}/g)].slice(-1)
  if (last === undefined) return path
  const list = otherLists[name] ?? path.slice(0, last.index - 1)
  const picked = ids.pick(list, newest) ?? []
  const given = picked.values()
  return path.replaceAll(/\{\w+\}/g, () => given.next().value ?? nothingIn(name, list))
}

function nothingIn(operation: string, list: string): never {
  throw new Error(`Have fillWorkspace make something in ${list}, which ${operation} is asked about.`)
}

const unusedIds: Ids = {
  add: () => {},
  keep: () => {},
  remove: () => {},
  pick: () => null,
  forMember: () => randomUUID(),
  count: () => 0,
  all: () => [],
}

/** Ids of things that are in no workspace. */
export function missingIds(): Ids {
  return {
    ...unusedIds,
    pick: (list) => Array.from({ length: (list.match(/\{/g)?.length ?? 0) + 1 }, () => randomUUID()),
  }
}

/** Ids of things in one workspace within things of another. */
export function mixedIds(outer: Ids, inner: Ids): Ids {
  return {
    ...inner,
    pick: (list, random) => {
      const [of, within] = [outer.pick(list, random), inner.pick(list, random)]
      return of === null || within === null ? null : [...of.slice(0, -1), ...within.slice(-1)]
    },
  }
}

// An objective whose budget burns, the contacts that its policy tells, and a clock that a test moves.
import { randomUUID } from 'node:crypto'
import type { ContactRules } from '#core/contacts/alert-rules.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { SloInput } from '#core/objectives/slo.ts'
import type { Span } from '#core/objectives/spans.ts'
import { tellSlos } from '#jobs/objectives.ts'
import { insertPolicy } from '#store/contacts/escalation-policies.ts'
import type { Database } from '#store/database/database.ts'
import { acknowledgeAlarm } from '#store/objectives/slo-alarms.ts'
import { findSlo, insertSlo, type StoredAlarm } from '#store/objectives/slos.ts'
import { addContact } from './alerts.ts'
import { testApi } from './api.ts'
import { createMonitor } from './monitors.ts'
import { givePast } from './objectives.ts'

export const minuteMs = 60_000
export const startMs = Math.floor(Date.now() / 1000) * 1000
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

type Step = [minutes: number, ...contacts: string[]]

/** `reset` leaves the three contacts and nothing else, and sets the clock back. */
export async function burningSlo() {
  const api = await testApi({ maxConnections: 12 })
  const { database, workspaceId } = api
  const { id: monitorId } = await createMonitor(api)
  const [ann, bob, eve] = [randomUUID(), randomUUID(), randomUUID()] as const
  const clock = { nowMs: startMs }
  const ids = { slo: '', policy: '' }
  const reset = async (): Promise<void> => {
    clock.nowMs = startMs
    for (const table of ['slos', 'deliveries', 'maintenance_windows', 'escalation_policies', 'alert_channels'])
      await database.pool.query(`delete from ${table}`)
    for (const [id, name] of [
      [ann, 'Ann'],
      [bob, 'Bob'],
      [eve, 'Eve'],
    ] as const)
      await addContact(database, { workspaceId, id, name })
  }

  const addPolicy = async (steps: readonly Step[], given: { repeats?: number; isDefault?: boolean } = {}) => {
    const { repeats = 0, isDefault = false } = given
    const id = randomUUID()
    const written = steps.map(([minutes, ...named]) => ({
      after_minutes: minutes,
      contact_ids: named,
      schedule_ids: [],
    }))
    await database.transaction((tx) =>
      insertPolicy(tx, { id, workspaceId, name: 'Ops', steps: written, repeats, is_default: isDefault, tags: [] }),
    )
    return id
  }
  const addSlo = async (change: Partial<SloInput> = {}) => {
    ids.slo = randomUUID()
    const slo = {
      name: 'Checkout',
      monitor_ids: [monitorId],
      tags: [],
      objective: 99.9,
      window_days: 30,
      alerts: true,
      alert_channel_ids: null,
      escalation_policy_id: ids.policy,
      ...change,
    }
    await database.transaction((tx) => insertSlo(tx, { ...slo, id: ids.slo, workspaceId }))
  }
  /** An objective whose alarm these steps tell. */
  const escalate = async (steps: readonly Step[], given: { repeats?: number } & Partial<SloInput> = {}) => {
    const { repeats = 0, ...change } = given
    ids.policy = await addPolicy(steps, { repeats })
    await addSlo(change)
  }
  /** The monitor's outages as they are known then. */
  const see = (outages: Span[]) =>
    givePast(database, monitorId, { sinceMs: startMs - 100 * dayMs, nowMs: clock.nowMs, outages })
  const look = (on: Database = database): Promise<void> =>
    tellSlos({ database: on, log, now: () => new Date(clock.nowMs) }, new AbortController().signal)
  const lookTogether = async () => {
    await Promise.all(Array.from({ length: 8 }, () => look()))
    // Claims of the same moment, as of a process that died after its claim and is looked after by two others.
    await database.pool.query('update slos set checked_at = null')
    await Promise.all(Array.from({ length: 8 }, () => look()))
  }
  /** So many minutes later the budget still burns. */
  const burnFor = async (minutes: number) => {
    clock.nowMs += minutes * minuteMs
    await see([[clock.nowMs - 4 * minuteMs, clock.nowMs]])
    await look()
  }
  const recover = async () => {
    clock.nowMs += 60 * minuteMs
    await see([])
    await look()
  }
  const deliver = () => database.pool.query(`update deliveries set state = 'delivered' where state = 'pending'`)
  const told = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ told: string }>(
      `select c.name || ' ' || coalesce(d.alert #>> '{data,slo,reason}', 'recovered') as told
      from deliveries d
      join alert_channels c on c.id = d.alert_channel_id
      where d.state <> 'dropped'
      order by d.created_at, c.name`,
    )
    return rows.map((row) => row.told)
  }
  const alarm = async (): Promise<StoredAlarm | null> =>
    (await findSlo(database, { workspaceId, id: ids.slo }))?.alarm ?? null
  /** Minutes from the moved now on. */
  const wait = async (): Promise<number | null> => {
    const at = (await alarm())?.escalation?.at ?? null
    return at === null ? null : (at.getTime() - clock.nowMs) / minuteMs
  }
  const set = (id: string, change: string) =>
    database.pool.query(`update alert_channels set ${change} where id = $1`, [id])
  const rules = (id: string, given: ContactRules) =>
    database.pool.query('update alert_channels set alert_rules = $2 where id = $1', [id, given])
  const acknowledge = () =>
    database.transaction((tx) =>
      acknowledgeAlarm(tx, { workspaceId, id: ids.slo, actor: 'Ann', at: new Date(clock.nowMs) }),
    )
  const rows = { addPolicy, addSlo, escalate, set, rules, deliver, acknowledge }
  const seen = { told, alarm, wait }
  return { api, ids, clock, ann, bob, eve, reset, see, look, lookTogether, burnFor, recover, ...rows, ...seen }
}

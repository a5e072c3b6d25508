// Random alerts in time, delivered to one contact, against a model of bundling that is as plain as can be.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bundleType } from '#core/contacts/alerting.ts'
import { claimDelivery, endDelivery } from '#store/contacts/delivery-attempts.ts'
import { addContact, addDownAlert, addMonitor, addRecovery, addWorkspace } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { createDeliveryStore } from '#store/delivery-store.ts'
import { moveClock } from '../../../test/support/moved-clock.ts'
import { leavesNow } from './bundling.ts'

const seconds = 60
const monitorCount = 6
/** The last one is critical. */
const critical = monitorCount - 1

/** `monitor` turns `after` seconds after the turn before: from up to down, or back. */
type Turn = { monitor: number; after: number }
/** What leaves as one message, by numbers of turns. */
type Message = { at: number; turns: number[] }

const turns = fc.array(
  fc.record({
    monitor: fc.integer({ min: 0, max: critical }),
    after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 150 })),
  }),
  { minLength: 1, maxLength: 25 },
)

/** What one alert after the other comes to, where nothing fails. */
function modelOf(given: readonly Turn[]): Message[] {
  const messages: Message[] = []
  let waiting: number[] = []
  let until = -1
  let at = 0
  const leaveUntil = (time: number): void => {
    while (waiting.length > 0 && until <= time) {
      messages.push({ at: until, turns: waiting })
      waiting = []
      until += seconds
    }
  }
  for (const [turn, { monitor, after }] of given.entries()) {
    at += after
    leaveUntil(at)
    if (monitor !== critical && until > at) {
      waiting.push(turn)
      continue
    }
    messages.push({ at, turns: [turn] })
    if (monitor !== critical) until = at + seconds
  }
  leaveUntil(Infinity)
  return messages
}

describe('alerts to a contact that bundles them', async () => {
  const database = await testDatabase()
  const clock = await moveClock(database)
  const { pool } = database
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const event = { type: 'alert_sent', message: 'Sent.', details: { alert_channel_id: '', attempt: 1 } } as const

  const setUp = async () => {
    await pool.query('delete from workspaces')
    const workspaceId = await addWorkspace(database)
    const contactId = await addContact(database, { workspaceId, kind: 'email', destination: 'ops@example.com' })
    await pool.query(`update alert_channels set alert_rules = '{"bundle":true}' where id = $1`, [contactId])
    const monitors: string[] = []
    for (let count = 0; count < monitorCount; count += 1) monitors.push(await addMonitor(database, { workspaceId }))
    await pool.query(`update monitors set alert_rules = '{"critical":true}' where id = $1`, [monitors[critical]])
    return { workspaceId, monitors }
  }
  const idsOf = async (condition: string): Promise<string[]> => {
    const found = await pool.query<{ id: string }>(
      `select id from deliveries where ${condition} and state = 'pending' order by due_at, created_at, id`,
    )
    return found.rows.map(({ id }) => id)
  }
  /** Tries all that is due until nothing of it can leave. Returns the deliveries of each message. */
  const drain = async (): Promise<string[][]> => {
    const sent: string[][] = []
    for (let moved = true; moved;) {
      moved = false
      for (const id of await idsOf('due_at <= now() and bundle_id is null')) {
        const claim = await claimDelivery(database, id)
        if (claim === null) continue
        moved = true
        if (!(await leavesNow(claim, { store: createDeliveryStore(database), log }))) continue
        const isBundle = claim.alert.type === bundleType
        sent.push(isBundle ? await idsOf(`bundle_id = '${id}'`) : [id])
        const end = { state: 'delivered', statusCode: 250, error: null, event } as const
        assert.ok(await database.transaction((tx) => endDelivery(tx, claim, end)))
      }
    }
    return sent
  }

  /** Plays the turns; each message names them by their numbers. */
  const play = async (given: readonly Turn[]): Promise<Message[]> => {
    const { workspaceId, monitors } = await setUp()
    const begun = Date.now()
    const running = new Map<number, string>()
    const numbers = new Map<string, number>()
    const messages: Message[] = []
    let time = 0
    const goTo = async (at: number): Promise<void> => {
      time = at
      await clock.set(new Date(begun + at * 1000))
      for (const ids of await drain()) messages.push({ at, turns: ids.map((id) => numbers.get(id) ?? -1) })
    }
    /** Every bundle leaves at its time. */
    const advance = async (at: number): Promise<void> => {
      for (;;) {
        const found = await pool.query<{ due: Date | null }>(
          `select min(due_at) as due from deliveries where state = 'pending' and bundle_id is null`,
        )
        const due = found.rows[0]?.due ?? null
        if (due === null || due.getTime() > begun + at * 1000) break
        await goTo((due.getTime() - begun) / 1000)
      }
      if (Number.isFinite(at)) await goTo(at)
    }
    for (const [turn, { monitor, after }] of given.entries()) {
      await advance(time + after)
      const monitorId = monitors[monitor] ?? ''
      const incidentId = running.get(monitor)
      if (incidentId === undefined)
        running.set(monitor, (await addDownAlert(database, { workspaceId, monitorId })).incidentId)
      else {
        await addRecovery(database, { workspaceId, monitorId, incidentId })
        running.delete(monitor)
      }
      for (const id of await idsOf('true')) {
        const { rows } = await pool.query<{ type: string }>(
          `select alert ->> 'type' as type from deliveries where id = $1`,
          [id],
        )
        if (!numbers.has(id) && rows[0]?.type !== bundleType) numbers.set(id, turn)
      }
      await goTo(time)
    }
    await advance(Infinity)
    return messages
  }

  it('leave as the model says, each once, and none before what it follows', { timeout: 240_000 }, () =>
    fc.assert(
      fc.asyncProperty(turns, async (given) => {
        const messages = await play(given)
        const sorted = messages.map(({ at, turns: told }) => ({ at, turns: told.toSorted((a, b) => a - b) }))
        assert.deepEqual(sorted, modelOf(given))
        const told = messages.flatMap((message) => message.turns)
        assert.deepEqual(
          told.toSorted((a, b) => a - b),
          [...given.keys()],
        )
        for (const monitor of Array(monitorCount).keys()) {
          const order = messages.flatMap((message) =>
            message.turns.filter((turn) => given[turn]?.monitor === monitor).toSorted((a, b) => a - b),
          )
          assert.deepEqual(
            order,
            order.toSorted((a, b) => a - b),
          )
        }
        const held = messages.filter((message) => message.turns.some((turn) => given[turn]?.monitor !== critical))
        for (const [index, { at }] of held.slice(1).entries()) assert.ok(at - (held[index]?.at ?? 0) >= seconds)
      }),
      { numRuns: 40, interruptAfterTimeLimit: 30_000 },
    ),
  )
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { nextDueAt, partitionOf } from '#core/monitors/schedule.ts'
import { addContact, engineBench, failing, incidentsOf, standingOf } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'

const alertSchema = z.object({ data: z.object({ children: z.unknown() }) })

async function bench({ routerSeconds = 60 } = {}) {
  const clock = { aheadMs: 0 }
  const made = await engineBench({
    engineNow: () => Date.now() + clock.aheadMs,
    engineSteady: () => performance.now() + clock.aheadMs,
  })
  await addContact(made.database, made.api.workspaceId)
  const settings = { locations: ['boston'], failure_threshold: 1, recovery_threshold: 1 }
  const router = await createMonitor(made.api, { name: 'Router', interval_seconds: routerSeconds, ...settings })
  // It is checked out of turn or not at all while the test runs.
  const shop = await createMonitor(made.api, {
    name: 'Shop',
    interval_seconds: 86_400,
    ...settings,
    depends_on: [router.id],
  })
  const judge = async (id: string, verdict: object): Promise<void> => {
    const [told] = await made.taken(id, ['boston'])
    await made.answer(told ?? assert.fail('it is asked for'), verdict)
  }
  /** Its prober says that it is still there. */
  const advance = (ms: number): void => {
    clock.aheadMs += ms
    made.bus.announce({ location: 'boston', prober: 'boston-1', isLeaving: false })
  }
  await judge(router.id, {})
  await judge(shop.id, {})
  return { ...made, clock, advance, router: router.id, shop: shop.id, judge }
}

/** As an engine asks whose monitor depends on it. */
function doubt({ bus, clock }: Awaited<ReturnType<typeof bench>>, monitorId: string): void {
  bus.announceChange({ monitorId, partition: partitionOf(monitorId), failedMs: Date.now() + clock.aheadMs })
}

describe('a monitor that depends on another', { concurrency: 2 }, () => {
  it('has that checked when it fails, and is checked itself when that is back', async () => {
    const engine = await bench()
    const { clock, advance, router, shop, judge, database } = engine
    advance(5_000)
    doubt(engine, shop)
    await judge(shop, failing)
    await judge(router, failing)
    const [outage] = await incidentsOf(database, router)
    assert.equal(outage?.status, 'open')
    const { rows } = await database.pool.query<{ alert: unknown }>(
      'select alert from deliveries where incident_id = $1',
      [outage?.id],
    )
    assert.deepEqual(alertSchema.parse(rows[0]?.alert).data.children, { total: 1, names: ['Shop'] })
    const nowMs = Date.now() + clock.aheadMs
    advance(nextDueAt(router, 60, new Date(nowMs)).getTime() - nowMs + 100)
    await judge(router, {})
    await judge(shop, {})
    assert.equal((await standingOf(database, shop)).current_status, 'up')
  })

  it('has it checked once in two seconds at most, and not while it is down', async () => {
    // In turn it is not checked while the test runs.
    const engine = await bench({ routerSeconds: 86_400 })
    const { advance, router, shop, judge, assignments } = engine
    const asked = (): number => assignments.filter(({ monitorId }) => monitorId === router).length
    advance(500)
    doubt(engine, router)
    doubt(engine, router)
    advance(2_000)
    await judge(router, failing)
    assert.equal(asked(), 2)
    advance(3_000)
    doubt(engine, router)
    doubt(engine, shop)
    await judge(shop, failing)
    assert.equal(asked(), 2)
  })
})

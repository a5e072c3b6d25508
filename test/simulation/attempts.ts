import assert from 'node:assert/strict'
import type { Alert } from '#core/contacts/alerting.ts'
import type { ModelDatabase } from './model-database.ts'
import type { Clock, VirtualTime } from './virtual-time.ts'

/** The shortest wait after an attempt that failed is five seconds. */
const leastPauseMs = 4_900

export type AttemptsOptions = {
  database: ModelDatabase
  clock: Pick<Clock, 'hasJumped'>
  virtual: Pick<VirtualTime, 'nowMs'>
}

/** What people are told, and when it is attempted. */
export class Attempts {
  readonly #options: AttemptsOptions
  readonly #underWay = new Map<string, string>()
  readonly #endedMs = new Map<string, number>()
  /** By incident, contact and type: how often it was told. */
  readonly tellings = new Map<string, number>()

  constructor(options: AttemptsOptions) {
    this.#options = options
  }

  /** One attempt of a delivery follows the other, after a pause. A clock that jumps ends claims and pauses early. */
  begin(deliveryId: string, process: string): void {
    const { clock, virtual } = this.#options
    const other = this.#underWay.get(deliveryId)
    assert.ok(clock.hasJumped || other === undefined, `${process} and ${other} attempt the delivery ${deliveryId}`)
    const pauseMs = virtual.nowMs - (this.#endedMs.get(deliveryId) ?? -Infinity)
    assert.ok(clock.hasJumped || pauseMs >= leastPauseMs, `${deliveryId} is attempted again after ${pauseMs} ms`)
    this.#underWay.set(deliveryId, process)
  }

  /** `hasFailed`: it was answered, and not accepted. */
  end(deliveryId: string, { hasFailed }: { hasFailed: boolean }): void {
    this.#underWay.delete(deliveryId)
    if (hasFailed) this.#endedMs.set(deliveryId, this.#options.virtual.nowMs)
  }

  /** The process of an attempt has ended. */
  forget(process: string): void {
    for (const [deliveryId, of] of this.#underWay) if (of === process) this.#underWay.delete(deliveryId)
  }

  /** A person got a message: what it says is so, and it is the turn of it. */
  tell(deliveryId: string, { type }: Alert): void {
    const { database, clock } = this.#options
    const delivery = database.deliveries.get(deliveryId) ?? assert.fail('A message of no delivery.')
    const { incidentId, contactId, state } = delivery
    const incident = database.incidents.get(incidentId ?? '') ?? assert.fail(`${deliveryId} tells of no incident.`)
    const of = (kind: string): string => [incidentId, contactId, kind].join()
    assert.ok(clock.hasJumped || state === 'pending', `The delivery ${deliveryId} had ended before it was told.`)
    if (type === 'monitor.up') {
      assert.ok(incident.resolvedMs !== null, `The end of an incident that runs is told: ${deliveryId}`)
      assert.ok(this.tellings.has(of('monitor.down')), `An end is told first: ${deliveryId}`)
    } else assert.ok(!this.tellings.has(of('monitor.up')), `An outage is told after its end: ${deliveryId}`)
    this.tellings.set(of(type), (this.tellings.get(of(type)) ?? 0) + 1)
  }
}

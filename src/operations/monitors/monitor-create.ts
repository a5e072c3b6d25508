import type { MonitorInput } from '#core/monitors/monitor.ts'
import { fulfil } from '#operations/money/fulfil.ts'
import { spenderOf } from '#operations/money/take-credit.ts'
import type { Context, Input, Reply } from '#operations/pipeline/operation.ts'
import { besideCalled } from './heartbeat-address.ts'
import { doneOf, keyOf, makeMonitor, readMade } from './new-monitor.ts'
import { mayAllowPrivateTarget } from './private-target.ts'

export type CreateInput = Pick<Input<unknown, MonitorInput, undefined>, 'body' | 'idempotencyKey' | 'payment'>

/** 201 with the new monitor, 200 with the one that was made before, or 402. */
export async function createMonitor(context: Context, given: CreateInput): Promise<Reply> {
  const { caller, services, now, noteChange } = context
  const { workspaceId } = caller
  const { body: input, idempotencyKey, payment } = given
  const maker = { workspaceId, services, mayAllowPrivateTarget: await mayAllowPrivateTarget(context) }
  return fulfil(context, {
    wish: { operation: 'create_monitor', workspaceId, target: null, idempotencyKey, body: input },
    purpose: 'monitor',
    payment,
    database: services.database,
    noteNothing: () => noteChange('nothing'),
    work: async (tx, paid) => {
      const key = keyOf(idempotencyKey, paid)
      const { maxCents } = payment
      const spender = spenderOf(caller, paid?.amountCents)
      const created = await makeMonitor(tx, { ...maker, isStranger: false, input, key, maxCents, spender, now })
      noteChange({ id: created.record.id, details: { kind: created.record.kind } })
      if (created.isReplay) noteChange('nothing')
      return doneOf(services, created)
    },
    repeat: async (repeat) => {
      const data = await readMade(services, repeat, now)
      return { status: 200, body: { data, ...(await besideCalled(services.database, services, data)) } }
    },
  })
}

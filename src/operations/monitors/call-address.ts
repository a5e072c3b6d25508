import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { readCallToken } from '#store/monitors/calls.ts'
import { forgetImportedCalls } from '#store/monitors/imported-calls.ts'
import { lockMonitor } from '#store/monitors/monitors.ts'
import { callPath, isCalled, replaceCallToken } from './heartbeat-address.ts'
import { findTarget, monitorNotFound } from './monitor-surroundings.ts'
import { type Context, type Reply } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const inConsole = { tag: 'Console', surface: 'console', subject: 'monitor', scope: 'write' } as const
const path = '/monitors/{id}/call-address'
const success = {
  status: 200,
  description: 'The address. A call needs nothing else.',
  schema: z.strictObject({ data: z.strictObject({ heartbeat_url: z.url() }) }),
} as const

const get = defineOperation({
  ...inConsole,
  name: 'get_call_address',
  method: 'GET',
  path,
  summary: 'Show the address at which a heartbeat, webhook or push_metric monitor is called',
  description: 'Needs write scope, because a call needs nothing but the address.',
  errors: [401, 403, 404],
  success,
  find: findCalled,
  run: async ({ services }, { target }) => {
    const token = await readCallToken(services.database, services.secrets, target.id)
    return answer(services.publicUrl, token ?? noAddress())
  },
})

const replace = defineOperation({
  ...inConsole,
  name: 'replace_call_address',
  method: 'POST',
  path,
  summary: 'Give a heartbeat, webhook or push_metric monitor a new address',
  description: 'Calls to the old address, and to imported ones, then get 404.',
  errors: [401, 403, 404],
  success,
  find: findCalled,
  run: async ({ caller, services }, { target }) => {
    const { database, secrets } = services
    const token = await database.transaction(async (tx) => {
      const scope = { workspaceId: caller.workspaceId, monitorId: target.id }
      const { settings } = (await lockMonitor(tx, secrets, scope)) ?? monitorNotFound()
      if (!isCalled(settings.kind)) noAddress()
      await forgetImportedCalls(tx, target.id)
      return replaceCallToken(tx, secrets, target.id)
    })
    return answer(services.publicUrl, token)
  },
})

export const callAddressOperations = [get, replace]

async function findCalled(context: Context, ids: Record<string, string>): Promise<MonitorRecord> {
  const monitor = await findTarget(context, ids)
  return isCalled(monitor.kind) ? monitor : noAddress()
}

function noAddress(): never {
  throw fail('not_found', 'This monitor is not of a kind that is called, so it has no address.')
}

function answer(publicUrl: string, token: string): Reply {
  return { status: 200, body: { data: { heartbeat_url: publicUrl + callPath + token } } }
}

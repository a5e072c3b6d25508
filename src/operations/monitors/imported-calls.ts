import { z } from 'zod'
import { type Fields, invalidFields } from '#core/language/error.ts'
import type { KindName } from '#core/monitors/kind-traits.ts'
import { type ImportedCallsInput, importedCallsSchema } from '#core/monitors/imported-calls.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import {
  forgetImportedPaths,
  listKinds,
  listOverCalled,
  maxImportedCalls,
  setImportedCalls,
} from '#store/monitors/imported-calls.ts'
import { isCalled } from './heartbeat-address.ts'

const importCalls = defineOperation({
  name: 'import_call_addresses',
  method: 'POST',
  path: '/call-addresses',
  scope: 'write',
  surface: 'programs',
  subject: 'workspace',
  tag: 'Monitors',
  summary: 'Take calls for monitors at the addresses that their jobs called in another tool',
  description:
    `Jobs that call Uptime Kuma or Healthchecks keep calling the same path, now at this service. An address ` +
    `belongs to one monitor of the service, and a monitor has at most ${maxImportedCalls} of them besides its own. ` +
    `A repeat changes nothing.`,
  body: { schema: importedCallsSchema, isRequired: true, schemaName: 'CallAddressesInput' },
  errors: [401, 403, 422],
  success: {
    status: 200,
    description: 'How many addresses of the request lead to a monitor now.',
    schema: z.strictObject({ data: z.strictObject({ addresses: z.int() }) }),
  },
  run: async ({ caller: { workspaceId }, services, noteChange }, { body }) => {
    const count = body.addresses.length
    noteChange({ id: workspaceId, name: count === 1 ? '1 address' : `${count} addresses` })
    const calls = body.addresses.flatMap(({ path, monitor_id: id }) => (id === null ? [] : [{ path, monitorId: id }]))
    const gone = body.addresses.flatMap(({ path, monitor_id: id }) => (id === null ? [path] : []))
    await services.database.transaction(async (tx) => {
      const ids = calls.map(({ monitorId }) => monitorId)
      refuse(problemsOf(body, await listKinds(tx, { workspaceId, ids })))
      await forgetImportedPaths(tx, { workspaceId, paths: gone })
      const foreign = await setImportedCalls(tx, { workspaceId, calls })
      const over = new Set(await listOverCalled(tx, ids))
      refuse(takenProblems(body, { foreign, over }))
    })
    return { status: 200, body: { data: { addresses: calls.length } } }
  },
})

export const importedCallOperations = [importCalls]

function refuse(fields: Fields): void {
  if (Object.keys(fields).length > 0) throw invalidFields(fields)
}

function problemsOf({ addresses }: ImportedCallsInput, kinds: ReadonlyMap<string, KindName>): Fields {
  const seen = new Set<string>()
  const fields: Fields = {}
  for (const [at, { path, monitor_id: id }] of addresses.entries()) {
    if (seen.has(path)) fields[`addresses.${at}.path`] = ['Must not be named twice.']
    seen.add(path)
    const kind = id === null ? null : kinds.get(id)
    if (kind === undefined) fields[`addresses.${at}.monitor_id`] = ['This workspace has no such monitor.']
    else if (kind !== null && !isCalled(kind))
      fields[`addresses.${at}.monitor_id`] = ['Is of a kind that cannot be called.']
  }
  return fields
}

type Taken = { foreign: ReadonlySet<string>; over: ReadonlySet<string> }

function takenProblems({ addresses }: ImportedCallsInput, { foreign, over }: Taken): Fields {
  const fields: Fields = {}
  for (const [at, { path, monitor_id: id }] of addresses.entries()) {
    if (foreign.has(path)) fields[`addresses.${at}.path`] = ['Leads to a monitor of another workspace.']
    else if (id !== null && over.has(id))
      fields[`addresses.${at}.monitor_id`] = [`Has more than ${maxImportedCalls} imported addresses.`]
  }
  return fields
}

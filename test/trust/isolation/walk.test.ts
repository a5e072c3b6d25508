// Every operation by everybody who may try. The list of operations is the product's, what is expected is of rules.ts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultPlans } from '#core/money/plan.ts'
import { isOffered } from '#mcp/tool.ts'
import { operations } from '#operations/index.ts'
import type { AnyOperation } from '#operations/pipeline/operation.ts'
import { testApi } from '../../support/api.ts'
import { testCarriers } from '../../support/jobs.ts'
import { sandbox } from '../../support/paying.ts'
import { missingIds, mixedIds } from './bodies.ts'
import { everybody, holder } from './callers.ts'
import { faultOf } from './judging.ts'
import { outcomes } from './outcomes.ts'
import { changedTables, createRowReader, emptyTables, readIdsOf } from './rows.ts'
import { type CallerName, callerNames, expectedOf } from './rules.ts'
import { asTool, overHttp, type Way } from './ways.ts'

describe('every operation, by everybody', async () => {
  const slots = { slots: 500 }
  const plans = { ...defaultPlans, free: { ...defaultPlans.free, ...slots }, pro: { ...defaultPlans.pro, ...slots } }
  const api = await testApi({
    payments: sandbox,
    services: {
      plans,
      carriers: testCarriers(),
      publishResults: async () => {},
      tryCheck: async () => ({ type: 'untold' }),
    },
  })
  const held = await holder(api, 'holder')
  const other = await holder(api, 'other')
  const { callers, tokens } = await everybody(api, held, other)
  const readRows = await createRowReader(api.database)
  const missing = missingIds()
  const reached = { ids: held.ids, missing, known: await readIdsOf(api.database, held.workspaceId) }
  const inOrder = operations.toSorted((one, another) => rankOf(one) - rankOf(another))
  const tools = inOrder.filter(isOffered)

  it('meets a workspace that has something of every sort', async () => {
    assert.deepEqual(emptyTables(await readRows(held.workspaceId)).toSorted(), emptyOnPurpose)
  })

  for (const [name, token] of tokens)
    it(`leaves a workspace as it was, called as a tool by: ${name}`, () => walk(tools, name, asTool(api, token)))

  const within = inOrder.filter(({ path }) => path.split('{').length > 2)
  const mixed = {
    'another workspace within its own': { ids: mixedIds(other.ids, held.ids), missing: mixedIds(other.ids, missing) },
    'its own within another workspace': { ids: mixedIds(held.ids, other.ids), missing: mixedIds(missing, other.ids) },
  }
  for (const [what, named] of Object.entries(mixed))
    it(`does not find a thing of ${what}`, async () => {
      assert.ok(within.length > 0)
      const before = await readRows(held.workspaceId)
      const name = 'owner of another workspace'
      const asked = { way: overHttp(other.ask), reached: { ...reached, ...named } }
      const faults = within.map((operation) => faultOf({ operation, expected: expectedOf(operation, name), ...asked }))
      assert.deepEqual(
        (await Promise.all(faults)).filter((fault) => fault !== null),
        [],
      )
      assert.deepEqual(changedTables(before, await readRows(held.workspaceId)), [])
    })

  for (const name of callerNames)
    it(`leaves a workspace as it was, called by: ${name}`, () => walk(inOrder, name, overHttp(callers[name])))

  it('is done for those who may, so that what was refused was refused for who asked', async () => {
    const faults: string[] = []
    for (const operation of inOrder.filter(({ actsFor }) => actsFor === 'workspace')) {
      const ask = expectedOf(operation, 'member').is === 'allowed' ? callers.member : held.ask
      const { code, text } = await overHttp(ask)(operation, held.ids)
      const expected = outcomes[operation.name] ?? null
      if (code !== expected) faults.push(`${operation.name} was answered ${code} and not ${expected}: ${text}`)
    }
    assert.deepEqual(faults, [])
  })

  /** Changes that a caller may make are left out. */
  async function walk(all: readonly AnyOperation[], name: CallerName, way: Way): Promise<void> {
    const before = await readRows(held.workspaceId)
    const faults: string[] = []
    for (const operation of all) {
      const expected = expectedOf(operation, name)
      if (expected.is === 'allowed' && !isReading(operation)) continue
      const fault = await faultOf({ operation, way, expected, reached })
      if (fault !== null) faults.push(`${operation.name} ${fault}`)
      if (isReading(operation)) continue
      const changed = changedTables(before, await readRows(held.workspaceId))
      assert.deepEqual(changed, [], `${operation.name} by ${name} changed the workspace`)
    }
    assert.deepEqual(faults, [])
    assert.deepEqual(changedTables(before, await readRows(held.workspaceId)), [])
  }
})

function isReading({ method, changesNothing }: AnyOperation): boolean {
  return method === 'GET' || changesNothing === true
}

/** What removes something comes last, and what has other things within it last of that. */
function rankOf(operation: AnyOperation): number {
  const { name, method, path } = operation
  if (name === 'delete_workspace') return 4
  if (method !== 'DELETE') return isReading(operation) ? 0 : 1
  return operations.some((each) => each.path.startsWith(`${path}/`)) ? 3 : 2
}

/** Tables that jobs, engines and agents write, and those that requests write only at times. */
const emptyOnPurpose = [
  'agent_claim_attempts',
  'agent_identities',
  'agent_tokens',
  'alert_steps',
  'idempotency_keys',
  'latency_days',
  'latency_hours',
  'maintenance_tagged',
  'monitor_addresses',
  'monitor_events',
  'monitor_expiries',
  'oauth_codes',
  'oauth_refresh_tokens',
  'payment_attempts',
  'project_objects',
  'provider_sessions',
  'report_monitors',
  'result_merges',
  'set_up_links',
  'signed_days',
  'signed_hours',
  'signed_workspace_days',
  'software_scans',
  'status_domains_released',
  'status_events',
  'status_maintenance',
  'told_expiries',
  'told_maintenance',
  'uptime_months',
  'withheld_alerts',
]

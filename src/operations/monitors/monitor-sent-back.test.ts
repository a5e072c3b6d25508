import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type KindName, kindNames, kindTraits } from '#core/monitors/kind-traits.ts'
import { type MonitorRecord, monitorInputSchema } from '#core/monitors/monitor.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { type Answer, testApi } from '../../../test/support/api.ts'
import { addContact } from '../../../test/support/engine.ts'
import {
  arbitraryOptions,
  all,
  headers,
  method,
  named,
  short,
  some,
  statuses,
  type Options,
} from '../../../test/support/kind-arbitraries.ts'
import { exampleOf } from '../../../test/support/kind-pages.ts'
import { targetOf } from '../../../test/support/monitor-targets.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { addPayment } from '../../../test/support/payments.ts'

// The time stands still, since the next check of a monitor is a matter of the moment.
const now = new Date()
const api = await testApi({ now: () => now })
const payer = await api.addWorkspace('pay_as_you_go')
await addPayment(api.database, { workspaceId: payer.workspaceId, amountCents: 50_000 })
const contactId = await addContact(api.database, api.workspaceId)
const memberIds = [(await createMonitor(api)).id, (await createMonitor(api)).id]

const optionsOf: Readonly<Record<KindName, fc.Arbitrary<Options>>> = {
  ...arbitraryOptions,
  group: all(
    fc.subarray(memberIds, { minLength: 1 }).map((ids) => ({ member_ids: ids })),
    some({ group_policy: fc.constantFrom('all', 'any') }),
  ),
}

function fieldsOf(kind: KindName): fc.Arbitrary<Options> {
  const { software } = kindTraits[kind]
  const threshold = fc.integer({ min: 1, max: 10 })
  return all(
    fc.oneof(fc.constant({}), statuses),
    locationsOf(kind),
    some({
      name: named,
      url: targetOf[kind],
      method,
      interval_seconds: fc.integer({ min: 10, max: 86_400 }),
      timeout_ms: fc.integer({ min: 500, max: 60_000 }),
      keyword: fc.option(short),
      request_headers: fc.option(headers),
      request_body: fc.option(short),
      failure_threshold: threshold,
      recovery_threshold: threshold,
      heartbeat_grace_seconds: fc.integer({ min: 0, max: 86_400 }),
      expiry_alerts: fc.boolean(),
      ...(software === 'none' ? {} : { vulnerability_alerts: fc.boolean() }),
      vulnerability_severity: fc.constantFrom('low', 'medium', 'high', 'critical'),
      charts: fc.constantFrom('both', 'uptime', 'response'),
      alert_channel_ids: fc.constantFrom(null, [], [contactId]),
      alert_channel_tags: fc.constantFrom([], ['Nights']),
      billing_period: fc.constantFrom(null, 'monthly', 'lifetime'),
    }),
  )
}

/** Where a monitor is checked, and how many of these places have to agree. */
function locationsOf(kind: KindName): fc.Arbitrary<Options> {
  const most = kindTraits[kind].isSingle ? 1 : 3
  const chosen = fc.shuffledSubarray(['amsterdam', 'boston', 'chennai'], { minLength: 1, maxLength: most })
  const agreeing = chosen.chain((locations) =>
    fc.record({
      locations: fc.constant(locations),
      confirmation_threshold: fc.integer({ min: 1, max: locations.length }),
    }),
  )
  return fc.oneof(
    fc.constant({}),
    chosen.map((locations) => ({ locations })),
    agreeing,
  )
}

function inputOf(kind: KindName): fc.Arbitrary<Options> {
  const { check_options: options = {}, ...example } = exampleOf(kind)
  const chosen = all(fc.constant(options), optionsOf[kind]).map((given) => ({ check_options: given }))
  return all(fc.constant(example), fieldsOf(kind), chosen)
}

/** The monitor without the fields that are only shown. */
function asInput(record: MonitorRecord): Options {
  return Object.fromEntries(Object.entries(record).filter(([field]) => field in monitorInputSchema.shape))
}

/** Sends a monitor back to all that takes one, and compares what is shown and what is checked. */
async function sendBack(record: MonitorRecord, token = api.token): Promise<void> {
  const read = await api.get(`/monitors/${record.id}`, { token })
  const input = asInput(monitorOf(read))
  const checked = await configurationOf(record)
  for (const path of ['/monitors/quote', `/monitors/${record.id}/quote`])
    assertTaken(await api.post(path, input, { token }))
  const changed = await api.request('PATCH', `/monitors/${record.id}`, { body: input, token })
  assertTaken(changed)
  assert.deepEqual(monitorOf(changed), monitorOf(read))
  assert.deepEqual(await configurationOf(record), checked)
}

function assertTaken({ status, text }: Answer): void {
  assert.equal(status, 200, text)
}

/** With its secrets. */
async function configurationOf({ id }: MonitorRecord): Promise<unknown> {
  return readCheckConfigurations(api.database, api.services.secrets, { location: null, ids: [id] })
}

/** Each takes some 50 ms of the processor, the database included. */
const runs = 16

describe('a monitor as it was read', () => {
  for (const kind of kindNames)
    it(`is taken back, and changes nothing: ${kind}`, async () => {
      await fc.assert(
        fc.asyncProperty(inputOf(kind), async (input) => {
          const created = await api.post('/monitors', input)
          assert.equal(created.status, 201, created.text)
          const record = monitorOf(created)
          await sendBack(record)
          assert.equal((await api.request('DELETE', `/monitors/${record.id}`)).status, 204)
        }),
        { numRuns: runs },
      )
    })

  for (const period of ['monthly', 'lifetime'])
    it(`is taken back where it is paid: ${period}`, async () => {
      await sendBack(await createMonitor(api, { billing_period: period }, payer.token), payer.token)
    })

  it('is taken back as a group of which a member was deleted', async () => {
    const { id: gone } = await createMonitor(api)
    const options = { member_ids: [...memberIds, gone] }
    const group = await createMonitor(api, { kind: 'group', check_options: options })
    assert.equal((await api.request('DELETE', `/monitors/${gone}`)).status, 204)
    await sendBack(group)
  })

  it('is taken back without a kind where its own kind has no target', async () => {
    const { id, name } = await createMonitor(api, { kind: 'heartbeat' })
    assertTaken(await api.request('PATCH', `/monitors/${id}`, { body: { name, url: null } }))
  })

  it('is refused where its kind needs what is null', async () => {
    const website = await createMonitor(api)
    const called = await createMonitor(api, { kind: 'heartbeat' })
    for (const [{ id, name }, body, field] of [
      [website, { url: null }, 'url'],
      [called, { heartbeat_grace_seconds: null }, 'heartbeat_grace_seconds'],
      [called, { kind: 'http', url: null }, 'url'],
      [website, { kind: 'heartbeat', heartbeat_grace_seconds: null }, 'heartbeat_grace_seconds'],
      [website, { timeout_ms: null }, 'timeout_ms'],
    ] as const) {
      const refused = await api.request('PATCH', `/monitors/${id}`, { body: { name, ...body } })
      assert.deepEqual(refusalOf(refused), [422, 'validation_failed', field])
    }
  })
})

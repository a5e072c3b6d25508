import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type ResponseHours,
  type ResponseStep,
  type ResponseTimes,
  responseHoursSchema,
  responseSpan,
  responseTimesSchema,
} from '#core/results/response-times.ts'
import { slotOf } from '#core/results/latency-histogram.ts'
import { noPhases } from '#core/results/result.ts'
import { startOfLastDay } from '#core/results/uptime.ts'
import { addDays, dayOf } from '#core/language/utc-day.ts'
import { addMember } from '#store/people/members.ts'
import { type Checked, addResults, createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { peopleApi } from '../../../test/support/people.ts'

// A session expires by the real clock.
const today = dayOf(new Date())
const yesterday = addDays(today, -1)
const now = new Date(`${today}T15:07:30Z`)

const manyLocations = Array.from({ length: 12 }, (_, index) => {
  const letter = String.fromCodePoint(97 + index)
  return { code: `${letter}-town`, name: letter.toUpperCase() }
})
const measured = { ...noPhases, dnsMs: 4, ttfbMs: 31 }
const noPhase = { dns_ms: null, connect_ms: null, tls_ms: null, ttfb_ms: null, transfer_ms: null }

type Told = Partial<Omit<ResponseStep, 'at'>> & { at: string }
type Case = {
  title: string
  checks: Checked[]
  /** A statement that changes the results before the API is asked. */
  change?: string
  hours?: ResponseHours
  /** By location. */
  told: Record<string, Told[]>
}

const down = { status: 'down', latencyMs: null } as const
const merged = `update results set repeats = 3, latency_sum_ms = 900, latency_count = 3, latency_max_ms = 500, last_checked_at = round_at + interval '5 minutes' where latency_ms = 300`

/** Members that a step leaves out mean: one good check, no phases, and the mean as the slowest. */
const cases: Case[] = [
  { title: 'nothing without results', checks: [], told: {} },
  {
    title: 'merged and single results of a step, each by its number',
    checks: [
      { at: `${yesterday}T20:01:00Z`, latencyMs: 300 },
      { at: `${yesterday}T20:14:59Z`, latencyMs: 700, phases: measured },
    ],
    change: merged,
    told: {
      'a-town': [
        {
          at: '20:00',
          checks: 4,
          latency_ms: 400,
          slowest_ms: 700,
          phases: { ...noPhase, dns_ms: 4, ttfb_ms: 31 },
        },
      ],
    },
  },
  {
    title: 'the slowest of the checks that a merged result stands for',
    checks: [
      { at: `${yesterday}T20:01:00Z`, latencyMs: 300 },
      { at: `${yesterday}T20:02:00Z`, latencyMs: 100 },
    ],
    change: merged,
    told: { 'a-town': [{ at: '20:00', checks: 4, latency_ms: 250, slowest_ms: 500 }] },
  },
  {
    title: 'means of phases by the checks that results stand for',
    checks: [
      { at: `${yesterday}T20:01:00Z`, latencyMs: 300, phases: { ...measured, tlsMs: 10 } },
      { at: `${yesterday}T20:02:00Z`, latencyMs: 300, phases: { ...noPhases, dnsMs: 8 } },
      { at: `${yesterday}T20:03:00Z`, ...down, phases: { ...noPhases, dnsMs: 900 } },
    ],
    change: `update results set repeats = 3 where dns_ms = 4`,
    told: {
      'a-town': [
        {
          at: '20:00',
          checks: 5,
          failed: 1,
          latency_ms: 300,
          phases: { ...noPhase, dns_ms: 5, tls_ms: 10, ttfb_ms: 31 },
        },
      ],
    },
  },
  {
    title: 'steps in which all failed, without a time',
    checks: [
      { at: `${yesterday}T20:01:00Z`, ...down },
      { at: `${yesterday}T20:02:00Z`, status: 'down', latencyMs: 8000 },
      { at: `${yesterday}T21:00:00Z`, latencyMs: 50 },
      { at: `${yesterday}T21:01:00Z`, ...down },
    ],
    told: {
      'a-town': [
        { at: '20:00', checks: 2, failed: 2, latency_ms: null },
        { at: '21:00', checks: 2, failed: 1, latency_ms: 50 },
      ],
    },
  },
  {
    title: 'a time and no failure of checks that were degraded',
    checks: [{ at: `${yesterday}T20:01:00Z`, status: 'degraded', latencyMs: 8000 }],
    told: { 'a-town': [{ at: '20:00', degraded: 1, latency_ms: 8000 }] },
  },
  {
    title: 'no time of successful checks that have none',
    checks: [
      { at: `${yesterday}T20:01:00Z`, latencyMs: null },
      { at: `${yesterday}T20:02:00Z`, latencyMs: 70 },
      { at: `${yesterday}T20:16:00Z`, latencyMs: null },
    ],
    told: {
      'a-town': [
        { at: '20:00', checks: 2, latency_ms: 70 },
        { at: '20:15', latency_ms: null },
      ],
    },
  },
  {
    title: 'what was checked during maintenance',
    checks: [
      { at: `${yesterday}T20:01:00Z`, latencyMs: 10 },
      { at: `${yesterday}T20:02:00Z`, ...down },
    ],
    change: 'update results set in_maintenance = true',
    told: { 'a-town': [{ at: '20:00', checks: 2, failed: 1, in_maintenance: 2, latency_ms: 10 }] },
  },
  {
    title: 'both sides of midnight, to the microsecond',
    checks: [
      { at: `${yesterday}T23:59:59.999Z`, microseconds: 999, latencyMs: 10 },
      { at: `${today}T00:00:00Z`, latencyMs: 20 },
    ],
    told: {
      'a-town': [
        { at: '23:45', latency_ms: 10 },
        { at: '00:00', latency_ms: 20 },
      ],
    },
  },
  {
    title: 'the whole quarter-hours of 24 hours and the current one, and nothing else',
    checks: [
      { at: `${yesterday}T14:59:59.999Z`, microseconds: 999 },
      { at: `${yesterday}T15:00:00Z`, latencyMs: 20 },
      { at: `${today}T15:14:59.999Z`, microseconds: 999, latencyMs: 30 },
      { at: `${today}T15:15:00Z` },
    ],
    told: {
      'a-town': [
        { at: '15:00', latency_ms: 20 },
        { at: '15:00', latency_ms: 30 },
      ],
    },
  },
  {
    title: 'the whole minutes of an hour and the current one, and nothing else',
    hours: '1',
    checks: [
      { at: `${today}T14:06:59.999Z` },
      { at: `${today}T14:07:00Z`, latencyMs: 20 },
      { at: `${today}T14:07:59Z`, latencyMs: 40 },
      { at: `${today}T15:07:40Z`, latencyMs: 30 },
      { at: `${today}T15:08:00Z` },
    ],
    told: {
      'a-town': [
        { at: '14:07', checks: 2, latency_ms: 30, slowest_ms: 40 },
        { at: '15:07', latency_ms: 30 },
      ],
    },
  },
  {
    title: 'ten locations, those that checked last',
    checks: manyLocations.map(({ code }, index) => ({
      at: new Date(Date.parse(`${today}T10:00:00Z`) + ((index * 5) % 12) * 900_000),
      location: code,
      latencyMs: 10 + index,
    })),
    told: Object.fromEntries(
      manyLocations.flatMap(({ code }, index) => {
        const quarter = (index * 5) % 12
        const at = new Date(quarter * 900_000 + 10 * 3_600_000).toISOString().slice(11, 16)
        return quarter < 2 ? [] : [[code, [{ at, latency_ms: 10 + index }]]]
      }),
    ),
  },
]

describe('the response times of a monitor', async () => {
  const people = await peopleApi({ now: () => now, locations: manyLocations })
  const { api } = people
  const { database, workspaceId } = api
  const { browser, personId } = await people.newcomer('viewer@example.com')
  await database.transaction((tx) => addMember(tx, { workspaceId, personId, role: 'viewer', at: now }))
  const get = (id: string, query = '') =>
    browser.api('GET', `/monitors/${id}/response-times${query}`, { workspace: workspaceId })

  async function read(id: string, hours: Case['hours']): Promise<ResponseTimes> {
    const answer = await get(id, hours === undefined ? '' : `?hours=${hours}`)
    assert.equal(answer.status, 200, answer.text)
    return responseTimesSchema.parse(answer.body)
  }

  for (const { title, checks, change, hours, told } of cases)
    it(`has ${title}, also for viewers`, async () => {
      const { id } = await createMonitor(api)
      const other = await createMonitor(api)
      await addResults(database, other.id, [{ at: `${today}T14:30:00Z`, latencyMs: 9999 }])
      await addResults(database, id, checks)
      if (change !== undefined)
        await database.pool.query(
          `${change} ${change.includes('where') ? 'and' : 'where'} monitor_key = (select key from monitors where id = '${id}')`,
        )
      const { from, step_seconds: stepSeconds, data } = await read(id, hours)
      assert.deepEqual(
        [from, stepSeconds],
        hours === '1' ? [`${today}T14:07:00.000Z`, 60] : [`${yesterday}T15:00:00.000Z`, 900],
      )
      const expected = Object.entries(told).map(([code, steps]) => [code, steps.map(wholly)])
      assert.deepEqual(
        data.map(({ location_code: code, steps }) => [
          code,
          steps.map(({ at, ...step }) => ({ at: at.slice(11, 16), ...step })),
        ]),
        expected,
      )
    })

  it('have percentiles of all locations together, in steps of an hour and of six', async () => {
    const { id } = await createMonitor(api)
    const checks = [20, 30, 40, 48].flatMap((latencyMs, minute) => [
      { at: `${today}T14:0${minute}:00Z`, latencyMs },
      { at: `${today}T14:0${minute}:30Z`, latencyMs, location: 'b-town' },
    ])
    await addResults(database, id, [...checks, { at: `${today}T15:01:00Z`, ...down }])
    const figures = { checks: 8, latency_ms: 35, slowest_ms: 48, p50_ms: 30, p95_ms: 48, p99_ms: 48 }
    const hours = await read(id, '168')
    assert.deepEqual([hours.from, hours.step_seconds], [`${addDays(today, -7)}T15:00:00.000Z`, 3600])
    assert.deepEqual(hours.all_locations, [{ at: `${today}T14:00:00.000Z`, ...figures }])
    assert.deepEqual(
      hours.data.map(({ location_code: code, steps }) => [code, steps.map((step) => step.failed)]),
      [
        ['a-town', [0, 1]],
        ['b-town', [0]],
      ],
    )
    const sixHours = await read(id, '720')
    assert.deepEqual([sixHours.from, sixHours.step_seconds], [`${addDays(today, -30)}T12:00:00.000Z`, 21_600])
    assert.deepEqual(sixHours.all_locations, [{ at: `${today}T12:00:00.000Z`, ...figures }])
    assert.deepEqual((await read(id, '24')).all_locations, [])
  })

  it('have percentiles and phases of whole days, also of those whose results are gone', async () => {
    const { id } = await createMonitor(api)
    const [longAgo, key] = [addDays(today, -200), `(select key from monitors where id = '${id}')`]
    await addResults(database, id, [
      { at: `${yesterday}T14:00:00Z`, latencyMs: 40, phases: { ...noPhases, dnsMs: 6 } },
      { at: `${yesterday}T15:00:00Z`, latencyMs: 20, phases: { ...noPhases, dnsMs: 4 } },
    ])
    await database.pool.query(`
      insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
      values (${key}, '${longAgo}', 5, 4, 1, 0, 120, 4), (${key}, '${addDays(today, -400)}', 5, 5, 0, 0, 120, 5)
      on conflict do nothing`)
    await database.pool.query(
      `insert into latency_days (monitor_key, day, slots, counts, phase_sums_ms, phase_counts)
       values (${key}, '${longAgo}', '{${slotOf(20)},${slotOf(40)}}', '{3,1}', '{12,0,0,0,0}', '{4,0,0,0,0}')`,
    )
    const year = await read(id, '8760')
    assert.deepEqual([year.from, year.step_seconds], [`${addDays(today, -365)}T00:00:00.000Z`, 86_400])
    const phases = { ...noPhase, dns_ms: 3 }
    assert.deepEqual(year.all_locations, [
      {
        at: `${longAgo}T00:00:00.000Z`,
        checks: 4,
        latency_ms: 30,
        slowest_ms: null,
        p50_ms: 20,
        p95_ms: 40,
        p99_ms: 40,
        phases,
      },
      {
        at: `${yesterday}T00:00:00.000Z`,
        checks: 2,
        latency_ms: 30,
        slowest_ms: null,
        p50_ms: 20,
        p95_ms: 40,
        p99_ms: 40,
        phases: { ...noPhase, dns_ms: 5 },
      },
    ])
    const quarter = await read(id, '2160')
    assert.deepEqual(
      quarter.all_locations.map(({ at }) => at),
      [`${yesterday}T00:00:00.000Z`],
    )
  })

  it('are those of a chosen time, in steps that are still known', async () => {
    const { id } = await createMonitor(api)
    await addResults(database, id, [
      { at: `${yesterday}T16:01:00Z`, latencyMs: 10 },
      { at: `${today}T14:31:00Z`, latencyMs: 20 },
      { at: `${today}T14:32:00Z`, latencyMs: 30 },
    ])
    const chosen = async (since: string, until: string): Promise<unknown> => {
      const answer = await get(id, `?since=${since}&until=${until}`)
      const { from, step_seconds: seconds, data } = responseTimesSchema.parse(answer.body)
      return [from.slice(11, 16), seconds, data.flatMap(({ steps }) => steps.map((step) => step.latency_ms))]
    }
    assert.deepEqual(await chosen(`${today}T14:30:10Z`, `${today}T14:31:30Z`), ['14:30', 60, [20]])
    assert.deepEqual(await chosen(`${today}T12:59:00Z`, `${today}T16:00:00Z`), ['12:45', 900, [25]])
    assert.deepEqual(await chosen(`${yesterday}T15:31:00Z`, `${yesterday}T16:10:00Z`), ['15:30', 900, [10]])
    assert.deepEqual(await chosen(`${yesterday}T14:31:00Z`, `${today}T16:00:00Z`), ['14:00', 3600, [10, 25]])
    const [monthAgo, yearAgo] = [addDays(today, -31), addDays(today, -360)]
    assert.deepEqual(await chosen(`${monthAgo}T00:00:00Z`, `${today}T16:00:00Z`), ['00:00', 21_600, [10, 25]])
    assert.deepEqual(await chosen(`${yearAgo}T00:00:00Z`, `${today}T16:00:00Z`), ['00:00', 86_400, [10, 25]])
  })

  it('are told of each hour of four weeks', async () => {
    const { id } = await createMonitor(api)
    await addResults(database, id, [
      { at: `${addDays(today, -28)}T14:59:00Z`, latencyMs: 10 },
      { at: `${addDays(today, -28)}T15:00:00Z`, latencyMs: 20 },
      { at: `${today}T15:01:00Z`, latencyMs: 30 },
      { at: `${today}T15:02:00Z`, latencyMs: 50, location: 'b-town' },
      { at: `${today}T15:03:00Z`, ...down },
    ])
    const answer = await browser.api('GET', `/monitors/${id}/response-hours`, { workspace: workspaceId })
    assert.deepEqual(
      responseHoursSchema.parse(answer.body).data.map(({ at, checks, latency_ms: ms }) => [at, checks, ms]),
      [
        [`${addDays(today, -28)}T15:00:00.000Z`, 1, 20],
        [`${today}T15:00:00.000Z`, 2, 40],
      ],
    )
  })

  it('are refused of a time that is none, or too long', async () => {
    const { id } = await createMonitor(api)
    const refused = async (query: string): Promise<unknown> => refusalOf(await get(id, query)).at(-1)
    assert.equal(await refused(`?since=${today}T00:00:00Z`), 'until')
    assert.equal(await refused(`?until=${today}T00:00:00Z`), 'since')
    assert.equal(await refused(`?since=${today}T01:00:00Z&until=${today}T01:00:00Z`), 'until')
    assert.equal(await refused(`?since=${addDays(today, -367)}T00:00:00Z&until=${today}T01:00:00Z`), 'until')
    assert.equal(await refused(`?since=${today}T23:00:00Z&until=${today}T23:30:00Z`), 'since')
    assert.equal(await refused(`?since=${today}&until=${today}T23:30:00Z`), 'since')
  })

  it('begin where the uptime of the last day does', () => {
    for (const time of [`${today}T15:07:30Z`, `${today}T00:00:00Z`, `${yesterday}T23:59:59.999Z`])
      assert.deepEqual(responseSpan('24', new Date(time)).from, startOfLastDay(new Date(time)))
  })

  it('are refused for other hours, which are named', async () => {
    const { id } = await createMonitor(api)
    for (const hours of ['6', '0', '', '-1', '24.0', 'day'])
      assert.deepEqual(refusalOf(await get(id, `?hours=${hours}`)), [422, 'validation_failed', 'hours'])
    assert.deepEqual(refusalOf(await get(id, '?days=1')), [422, 'validation_failed', 'days'])
  })

  it('are not found of a monitor of another workspace, nor of none', async () => {
    const { token } = await api.addWorkspace()
    const foreign = await createMonitor(api, {}, token)
    for (const id of [foreign.id, '00000000-0000-4000-8000-000000000000', 'x'])
      assert.deepEqual(refusalOf(await get(id)), [404, 'not_found'])
  })

  it('are for people who are signed in, not for tokens', async () => {
    const { id } = await createMonitor(api)
    const path = `/monitors/${id}/response-times`
    assert.deepEqual(refusalOf(await api.get(path)), [401, 'session_required'])
    assert.deepEqual(refusalOf(await api.get(path, { token: null })), [401, 'missing_api_key'])
  })
})

function wholly({ at, ...told }: Told): Told {
  const step = { checks: 1, failed: 0, degraded: 0, in_maintenance: 0, latency_ms: null, phases: noPhase, ...told }
  return { at, slowest_ms: step.latency_ms, ...step }
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { healthchecksExample } from '../../../test/support/healthchecks-example.ts'
import { readHealthchecks } from './healthchecks.ts'
import { ImportError } from './imported.ts'

const example = readHealthchecks(JSON.stringify(healthchecksExample))

function rhythmOf(check: Readonly<Record<string, unknown>>) {
  const { monitors } = readHealthchecks(JSON.stringify({ checks: [{ name: 'A', grace: 60, ...check }] }))
  const { interval_seconds: interval, heartbeat_grace_seconds: grace } = monitors[0]?.input ?? {}
  return [interval, grace]
}

describe('checks of Healthchecks', () => {
  it('become heartbeats at the addresses that their jobs call', () => {
    assert.deepEqual(
      example.monitors.map(({ key, input, isPaused }) => [
        key,
        input.interval_seconds,
        input.heartbeat_grace_seconds,
        isPaused,
      ]),
      [
        ['filesystem-backup', 3600, 600, false],
        ['database-backup', 86_400, 4800, true],
      ],
    )
    assert.deepEqual(example.heartbeats, [
      {
        monitorKey: 'filesystem-backup',
        address: { type: 'healthchecks_ping', token: '31365bce-8da9-4729-8ff3-aaa71d56b712' },
      },
      {
        monitorKey: 'database-backup',
        address: { type: 'healthchecks_ping', token: '803f680d-e89b-492b-82ef-2be7b774a92d' },
      },
    ])
    assert.deepEqual(example.monitors[0]?.input.tags, ['backup', 'fs'])
    assert.deepEqual(
      example.monitors.map(({ input }) => input.contacts),
      [null, []],
    )
    assert.deepEqual(
      example.notes.map(({ effect, place }) => `${effect} ${place}`),
      ['changed checks[0].channels', 'changed checks[1].schedule', 'lost checks[2]', 'lost checks[3].schedule'],
    )
  })

  const schedules: [schedule: string, tz: string, interval: number | undefined, grace: number | undefined][] = [
    ['*/5 * * * *', 'UTC', 300, 60],
    ['0 * * * *', 'UTC', 3600, 60],
    ['0 3 * * *', 'UTC', 86_400, 60],
    // One night of the autumn has an hour more.
    ['0 3 * * *', 'Europe/Riga', 86_400, 3660],
    ['0 3 * * *', 'America/New_York', 86_400, 3660],
    ['0 9-17 * * *', 'UTC', 57_600, 60],
    ['0 3 * * 1-5', 'UTC', undefined, undefined],
    ['0 3 1 * *', 'UTC', undefined, undefined],
    ['99 99 * * *', 'UTC', undefined, undefined],
    // The thirtieth of February never comes.
    ['0 0 30 2 *', 'UTC', undefined, undefined],
    ['0 3 * * *', 'Nowhere/Land', undefined, undefined],
    ['Mon..Fri 04:00', 'UTC', undefined, undefined],
  ]
  for (const [schedule, tz, interval, grace] of schedules)
    it(`of the schedule ${schedule} in ${tz} are due in ${interval ?? 'no time of ours'}`, () => {
      assert.deepEqual(rhythmOf({ schedule, tz }), [interval, grace])
    })

  it('may be silent for two days at most', () => {
    assert.deepEqual(rhythmOf({ timeout: 86_400, grace: 86_400 }), [86_400, 86_400])
    assert.deepEqual(rhythmOf({ timeout: 172_740, grace: 60 }), [86_400, 86_400])
    assert.deepEqual(rhythmOf({ timeout: 172_741, grace: 60 }), [undefined, undefined])
    assert.deepEqual(rhythmOf({ timeout: 60, grace: 3600 }), [60, 3600])
    assert.deepEqual(rhythmOf({ schedule: '0 3 * * 1,3,5,6', tz: 'UTC', grace: 0 }), [86_400, 86_400])
  })
})

describe('the reader of Healthchecks', () => {
  it('refuses with the place of what is wrong', () => {
    assert.throws(() => readHealthchecks('{}'), new ImportError('checks: Must be a list.'))
    assert.throws(
      () => readHealthchecks('{"checks":[{"name":[]}]}'),
      new ImportError('checks[0].name: Must be a text or a number.'),
    )
  })

  it('throws nothing but its own error', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.anything(),
      fc.integer(),
      fc.constantFrom('* * * * *', '0 0 31 2 *', '1-99 * * * *', 'UTC'),
    )
    const check = fc.record(
      { name: cell, schedule: cell, tz: cell, timeout: cell, grace: cell, tags: cell, uuid: cell },
      { requiredKeys: [] },
    )
    const answer = fc.record({ checks: fc.array(check, { maxLength: 3 }) }).map((value) => JSON.stringify(value))
    fc.assert(
      fc.property(fc.oneof(answer, fc.string(), fc.json()), (content) => {
        try {
          readHealthchecks(content)
        } catch (error) {
          if (!(error instanceof ImportError)) throw error
        }
      }),
      { numRuns: 100 },
    )
  })
})

/** Minutes of the hour, written out to so many characters. */
const scheduleOf = (length: number): string => `${'0,'.repeat((length - 9) / 2)}0 * * * *`

/** The notes of one check, but for that of the address that it has not. */
function notesOf(check: Readonly<Record<string, unknown>>): string[] {
  const { notes } = readHealthchecks(JSON.stringify({ checks: [{ name: 'A', timeout: 60, grace: 60, ...check }] }))
  return notes.map(({ effect, place }) => `${effect} ${place}`).filter((note) => !note.endsWith('ping_url'))
}

describe('a check', () => {
  const cases: [what: string, check: Readonly<Record<string, unknown>>, notes: string[]][] = [
    ['that searches subjects', { filter_subject: true }, ['lost checks[0].filter_body']],
    ['that searches bodies', { filter_body: true }, ['lost checks[0].filter_body']],
    ['that searches bodies of HTTP', { filter_http_body: true }, ['lost checks[0].filter_body']],
    ['that searches nothing', { filter_subject: false, filter_body: false, filter_http_body: false }, []],
    ['of a long schedule', { schedule: `0 0 1 1 ${'1,'.repeat(46)}1` }, ['lost checks[0].schedule']],
    ['of six fields', { schedule: '0 0 3 * * *' }, ['lost checks[0].schedule']],
  ]
  for (const [what, check, notes] of cases)
    it(`${what} is told with ${notes.length} notes`, () => assert.deepEqual(notesOf(check), notes))

  it('has a grace of nothing where it names none, and an interval of ten seconds at least', () => {
    assert.deepEqual(rhythmOf({ timeout: 60, grace: null }), [60, 0])
    assert.deepEqual(rhythmOf({ timeout: 10, grace: 0 }), [10, 0])
    assert.deepEqual(rhythmOf({ timeout: 3, grace: 9 }), [10, 2])
    assert.deepEqual(rhythmOf({ timeout: 3, grace: 0 }), [10, 0])
  })

  it('may have a schedule of 100 characters', () => {
    assert.deepEqual(rhythmOf({ schedule: `${scheduleOf(99)} ` }), [3600, 60])
    assert.deepEqual(rhythmOf({ schedule: scheduleOf(101) }), [undefined, undefined])
  })

  it('recovers at once, and may not be silent for longer than two days', () => {
    assert.equal(example.monitors[0]?.input.recovery_threshold, 1)
    const told = 'It may be silent for 200009 seconds. In Perigee, a monitor can be silent for at most two days.'
    const { notes } = readHealthchecks(JSON.stringify({ checks: [{ name: 'A', timeout: 200_000, grace: 9 }] }))
    assert.equal(notes.at(-1)?.message, told)
  })

  it('may have one of a hundred schedules, each of which is read once', () => {
    const checks = Array.from({ length: 101 }, (_, index) => ({
      name: `A${index}`,
      schedule: `${index % 60} ${Math.floor(index / 60)} * * *`,
      tz: 'UTC',
    }))
    const again = { ...checks[0], name: 'Again' }
    assert.equal(readHealthchecks(JSON.stringify({ checks: [...checks, again] })).monitors.length, 101)
  })
})

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
        ['database-backup', undefined, 1200, true],
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
      ['changed checks[0].channels', 'lost checks[2]', 'lost checks[3].schedule'],
    )
  })

  const schedules: [schedule: string, tz: string | null, problem: RegExp | null][] = [
    ['*/5 * * * *', 'UTC', null],
    ['0 3 * * *', 'Europe/Riga', null],
    [' 0 3 * * 1-5 ', 'America/New_York', null],
    ['0 3 1 * *', null, null],
    ['99 99 * * *', 'UTC', /five fields/],
    ['0 0 3 * * *', 'UTC', /five fields/],
    ['Mon..Fri 04:00', 'UTC', /five fields/],
    // The thirtieth of February never comes.
    ['0 0 30 2 *', 'UTC', /once a year/],
    ['0 3 * * *', 'Nowhere/Land', /"Nowhere\/Land" is no time zone/],
  ]
  for (const [schedule, tz, problem] of schedules)
    it(`of the schedule ${schedule} in ${tz} ${problem === null ? 'keep it' : 'stay behind'}`, () => {
      const file = readHealthchecks(JSON.stringify({ checks: [{ name: 'A', grace: 60, schedule, tz }] }))
      const lost = file.notes.filter(({ effect }) => effect === 'lost')
      if (problem === null) {
        assert.deepEqual(lost, [])
        const { check_options: options, heartbeat_grace_seconds: grace } = file.monitors[0]?.input ?? {}
        assert.deepEqual([options, grace], [{ schedule: schedule.trim(), time_zone: tz ?? 'UTC' }, 60])
      } else {
        assert.deepEqual([file.monitors, lost.map(({ place }) => place)], [[], ['checks[0].schedule']])
        assert.match(lost[0]?.message ?? '', problem)
      }
    })

  it('may be late by a day at most', () => {
    const late = { name: 'A', schedule: '0 3 * * *', grace: 86_401 }
    const { monitors, notes } = readHealthchecks(JSON.stringify({ checks: [late, { ...late, grace: 86_400 }] }))
    assert.deepEqual(
      monitors.map(({ input }) => input.heartbeat_grace_seconds),
      [86_400, 86_400],
    )
    assert.deepEqual(
      notes.filter(({ place }) => place.endsWith('grace')).map(({ place }) => place),
      ['checks[0].grace'],
    )
  })

  it('may be silent for two days at most', () => {
    assert.deepEqual(rhythmOf({ timeout: 86_400, grace: 86_400 }), [86_400, 86_400])
    assert.deepEqual(rhythmOf({ timeout: 172_740, grace: 60 }), [86_400, 86_400])
    assert.deepEqual(rhythmOf({ timeout: 172_741, grace: 60 }), [undefined, undefined])
    assert.deepEqual(rhythmOf({ timeout: 60, grace: 3600 }), [60, 3600])
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
    const minutes = '0,'.repeat(45)
    assert.deepEqual(notesOf({ schedule: ` ${minutes}0 * * * * ` }), [])
    assert.deepEqual(notesOf({ schedule: `${minutes}0,0 * * * *` }), ['lost checks[0].schedule'])
  })

  it('stays behind where it has neither a period nor a schedule', () => {
    assert.deepEqual(notesOf({ timeout: null }), ['lost checks[0].timeout'])
  })

  it('recovers at once, and may not be silent for longer than two days', () => {
    assert.equal(example.monitors[0]?.input.recovery_threshold, 1)
    const told =
      'It may be silent for 200009 seconds. In Perigee, a monitor without a schedule can be silent for at most two days.'
    const { notes } = readHealthchecks(JSON.stringify({ checks: [{ name: 'A', timeout: 200_000, grace: 9 }] }))
    assert.equal(notes.at(-1)?.message, told)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ImportedFile } from '#core/imports/imported.ts'
import { createFindings } from '#core/imports/findings.ts'
import { createRobotWindows, robotWindowSchema } from './uptimerobot-windows.ts'

const now = new Date('2026-11-26T12:00:00Z')
const nowSeconds = now.getTime() / 1000
const nightly = { id: '7', type: 2, friendly_name: 'Nightly', value: '', start_time: '03:05', duration: 30, status: 1 }

/** What becomes of windows, each of which a monitor of its own lists. */
function read(...changes: object[]): ImportedFile {
  const findings = createFindings()
  const windows = createRobotWindows(findings, now)
  for (const [at, change] of changes.entries())
    windows.add(robotWindowSchema.parse({ ...nightly, ...change }), `monitor-${at}`)
  windows.finish()
  return findings.file()
}

const scheduleOf = (change: object) => read(change).maintenance[0]?.input.schedule ?? null
const notesOf = ({ notes }: ImportedFile): string[] => notes.map(({ place, message }) => `${place}: ${message}`)

const unread = ['mwindow 7: It has no schedule that can be read.']
const everyDay = [1, 2, 3, 4, 5, 6, 7]

describe('a maintenance window of UptimeRobot', () => {
  const weekly = { type: 'weekly', weekdays: everyDay, starts: '03:05', duration_minutes: 30 }
  const told: [change: object, schedule: object][] = [
    [{}, weekly],
    [{ start_time: '9:59' }, { ...weekly, starts: '09:59' }],
    [{ start_time: '23:59:30' }, { ...weekly, starts: '23:59' }],
    [{ duration: null }, { ...weekly, duration_minutes: 1 }],
    [{ duration: 0.4 }, { ...weekly, duration_minutes: 1 }],
    [{ duration: 1.6 }, { ...weekly, duration_minutes: 2 }],
    [
      { type: 3, value: '4-2-4' },
      { ...weekly, weekdays: [2, 4] },
    ],
    [
      { type: 3, value: '7' },
      { ...weekly, weekdays: [7] },
    ],
    [
      { type: 3, value: '1' },
      { ...weekly, weekdays: [1] },
    ],
    [
      { type: 3, value: '0-5-x-2.5' },
      { ...weekly, weekdays: [5] },
    ],
    [
      { type: 4, value: '31-1' },
      { type: 'cron', expression: '5 3 1,31 * *', duration_minutes: 30 },
    ],
    [
      { type: 4, value: '32-8' },
      { type: 'cron', expression: '5 3 8 * *', duration_minutes: 30 },
    ],
  ]
  for (const [change, schedule] of told)
    it(`with ${JSON.stringify(change)} is ${JSON.stringify(schedule)}, in UTC`, () => {
      assert.deepEqual(scheduleOf(change), schedule)
      assert.deepEqual(notesOf(read(change)), [
        'mwindow 7.start_time: The file does not say its time zone, so its times are in UTC.',
      ])
    })

  const lost: object[] = [
    { start_time: '24:00' },
    { start_time: '03:60' },
    { start_time: null },
    { type: 1 },
    { type: 3, value: '8' },
    { type: 3, value: '1-8' },
    { type: 3, value: '' },
    { type: 4, value: '0-32' },
    { type: 4, value: '5', start_time: '' },
    { type: 3, value: '5', start_time: '' },
    { type: 5, value: '5' },
    { type: null },
    { type: 1, start_time: '12345678' },
  ]
  for (const change of lost)
    it(`with ${JSON.stringify(change)} cannot be read`, () => {
      assert.equal(scheduleOf(change), null)
      assert.deepEqual(notesOf(read(change)), unread)
    })

  it('that is once has its moments, and no zone that would have to be told', () => {
    const file = read({ type: 1, start_time: String(nowSeconds), duration: 90 })
    assert.deepEqual(file.maintenance[0]?.input.schedule, {
      type: 'once',
      starts_at: '2026-11-26T12:00:00.000Z',
      ends_at: '2026-11-26T13:30:00.000Z',
    })
    assert.deepEqual(notesOf(file), [])
  })

  it('that is once is left out as soon as it has ended', () => {
    const over = read({ type: 1, start_time: String(nowSeconds - 60), duration: 1 })
    assert.deepEqual(notesOf(over), ['mwindow 7: It has ended, so it is left out.'])
    assert.equal(read({ type: 1, start_time: String(nowSeconds - 59), duration: 1 }).maintenance.length, 1)
  })

  it('is left out where it is switched off', () => {
    const off = read({ status: 0 })
    assert.deepEqual([off.maintenance, notesOf(off)], [[], ['mwindow 7: It is switched off, so it is left out.']])
    assert.equal(read({ status: 2 }).maintenance.length, 1)
  })

  it('is one, however many monitors list it', () => {
    const file = read({}, {}, { id: '8', friendly_name: '' })
    assert.deepEqual(
      file.maintenance.map(({ key, input }) => [key, input.name, input.monitor_ids]),
      [
        ['nightly', 'Nightly', ['monitor-0', 'monitor-1']],
        ['maintenance', 'Maintenance', ['monitor-2']],
      ],
    )
  })

  it('is told from others by what it says where it has no id', () => {
    const file = read({ id: null }, { id: null }, { id: null, start_time: '04:05' }, { id: null, type: 3, value: '1' })
    assert.deepEqual(
      file.maintenance.map(({ place, input }) => [place, input.monitor_ids?.length]),
      [
        ['mwindow ?', 2],
        ['mwindow ?', 1],
        ['mwindow ?', 1],
      ],
    )
  })

  it('is of a thousand monitors at most', () => {
    const file = read(...Array.from({ length: 1_001 }, () => ({})))
    assert.equal(file.maintenance[0]?.input.monitor_ids?.length, 1_000)
  })
})

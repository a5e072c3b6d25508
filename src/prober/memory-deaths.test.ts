import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Result, Verdict } from '#core/results/result.ts'
import { assign, burningWorker, playThread, tcpCheck } from '../../test/support/played-thread.ts'
import { freePort } from '../../test/support/free-port.ts'
import { until } from '../../test/support/until.ts'
import { createMemoryDeaths } from './memory-deaths.ts'
import type { ProberThreadsOptions } from './threads.ts'

const maxHeapMb = 64

describe('deaths of the memory', () => {
  const minute = 60_000
  const table: { what: string; deaths: [atMinute: number, monitorId: string][]; speaksAgainst: boolean }[] = [
    { what: 'once', deaths: [[0, 'm']], speaksAgainst: false },
    {
      what: 'twice in a row',
      deaths: [
        [0, 'm'],
        [600, 'm'],
      ],
      speaksAgainst: true,
    },
    {
      what: 'twice within the hour, with another between',
      deaths: [
        [0, 'm'],
        [5, 'n'],
        [59, 'm'],
      ],
      speaksAgainst: true,
    },
    {
      what: 'twice within longer, with another between',
      deaths: [
        [0, 'm'],
        [5, 'n'],
        [60, 'm'],
      ],
      speaksAgainst: false,
    },
    {
      what: 'after others',
      deaths: [
        [0, 'n'],
        [5, 'n'],
        [6, 'm'],
      ],
      speaksAgainst: false,
    },
  ]
  for (const { what, deaths, speaksAgainst } of table)
    it(`speak ${speaksAgainst ? '' : 'not '}against a check that is named ${what}`, () => {
      let nowMs = 0
      const { note } = createMemoryDeaths(() => nowMs)
      const said = deaths.map(([at, monitorId]) => {
        nowMs = at * minute
        return note({ type: 'check', location: 'here', monitorId })
      })
      assert.equal(said.at(-1), speaksAgainst)
    })

  it('speak against all trials of a workspace, and of none that is unknown', () => {
    const { note } = createMemoryDeaths(() => 0)
    const trial = { type: 'trial', location: 'here', monitorId: '1' } as const
    const ofA = { ...trial, shareKey: 'a' }
    assert.deepEqual([note(ofA), note({ ...ofA, monitorId: '2' })], [false, true])
    assert.deepEqual([note(trial), note(trial)], [false, false])
  })
})

describe('a check that takes more memory than its thread may have', () => {
  it('is set aside when the thread died of it twice, and the others are checked', async () => {
    const asides: string[] = []
    const onSetAside: ProberThreadsOptions['onSetAside'] = ({ monitorId }) => void asides.push(monitorId)
    const played = playThread({ program: burningWorker, maxHeapMb, onSetAside })
    const { bus, present, warnings, deaths } = played
    const url = `127.0.0.1:${await freePort()}`
    const verdicts = new Map<string, Verdict | null>()
    const keep = ({ monitorId, verdict }: Result): void => void verdicts.set(monitorId, verdict)
    bus.onConfigurationRequest(async (_, ids) => ids.map((id) => tcpCheck(id, url, id === 'greedy' ? 'hoard' : null)))
    bus.onResults(async (list) => list.forEach(keep))
    for (const round of [1, 2]) {
      await until('the prober is present', () => present.length === round, 60_000)
      assert.deepEqual(asides, [])
      assign(played, ['greedy'], round)
      await until('the thread is dead', () => deaths() === round, 60_000)
    }
    assert.deepEqual(asides, ['greedy'])
    assert.deepEqual(
      warnings.map(({ message, details }) => [message, details?.['monitor_id']]),
      [
        ['A prober thread died and will be restarted.', 'greedy'],
        ['A check used up the memory of its thread, so the thread died.', 'greedy'],
      ],
    )
    await until('the prober is present again', () => present.length === 3, 60_000)
    assign(played, ['greedy', 'good'], 3)
    await until('both are told', () => verdicts.size === 2, 60_000)
    assert.match(String(verdicts.get('good')?.error), /refused/)
    const { status, error } = verdicts.get('greedy') ?? assert.fail('no verdict')
    assert.equal(status, 'degraded')
    assert.match(String(error), /^The check was ended: .* memory .* This location checks again after /)
    assert.equal(deaths(), 2)
    await played.stop()
  })

  it('is answered where it is a trial, each time', async () => {
    const played = playThread({ program: burningWorker, maxHeapMb })
    const { bus, present, deaths } = played
    const url = `127.0.0.1:${await freePort()}`
    await until('the prober is present', () => present.length > 0, 60_000)
    const prober = present[0] ?? assert.fail('No prober is there.')
    const configuration = { ...tcpCheck('a-trial', url, 'hoard'), shareKey: 'a' }
    const verdict = await bus.tryCheck('here', prober, { configuration, withinMs: 60_000 })
    assert.deepEqual([verdict?.status, deaths()], ['degraded', 1])
    assert.match(String(verdict?.error), /^The check was ended: .* memory/)
    await played.stop()
  })
})

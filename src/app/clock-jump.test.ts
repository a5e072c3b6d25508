import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createCallStore } from '#store/call-store.ts'
import { noteClockJump } from '#store/installation/own-troubles.ts'
import { clockedDatabase, setClock } from '../../test/support/clocked-database.ts'
import { type EngineBench, engineBench, standingOf } from '../../test/support/engine.ts'
import { aheadOf, createHeartbeat, type Heartbeat, statusIs } from '../../test/support/heartbeat.ts'
import { until } from '../../test/support/until.ts'
import { keepCallIntake } from './call-intake.ts'

type SetBench = EngineBench & {
  /** Sets the clock of the database, of the engine and of the API. */
  jump: (ms: number) => Promise<void>
  /** What the intake of calls says: it is silent while all calls are taken. */
  said: string[]
}

async function setBench(): Promise<SetBench> {
  let setMs = 0
  const said: string[] = []
  const bench = await engineBench({
    makeDatabase: clockedDatabase,
    engineNow: () => Date.now() + setMs,
    now: () => new Date(Date.now() + setMs),
    onClockJump: async (jumpMs, database) => void (await noteClockJump(database, Math.round(jumpMs / 1000))),
  })
  const ends: (() => Promise<void>)[] = []
  after(async () => {
    for (const end of ends) await end()
  })
  const say = (message: string): void => void said.push(message)
  const log = { info: say, warn: say }
  const { database } = bench
  const store = createCallStore(database, bench.api.services.secrets)
  ends.push(await keepCallIntake({ store, areCallsKept: () => true, wasCallLost: () => false, log }))
  const jump = async (ms: number): Promise<void> => {
    await setClock(database, (setMs + ms) / 1000)
    setMs += ms
  }
  return { ...bench, jump, said }
}

/** Two jobs: one that goes on calling, and one that is dead. */
async function twoJobs(bench: EngineBench): Promise<{ alive: Heartbeat; dead: Heartbeat }> {
  const input = { interval_seconds: 10, heartbeat_grace_seconds: 5, failure_threshold: 1 }
  const alive = await createHeartbeat(bench, input)
  const dead = await createHeartbeat(bench, input)
  await alive.call()
  await dead.call()
  return { alive, dead }
}

const hours = 3_600_000

describe('deadlines of heartbeats when the clock jumps', { concurrency: 2 }, () => {
  for (const jumpMs of [3 * hours, -5 * hours])
    it(`by ${jumpMs / hours} hours, are missed when they would have been, and not before`, async () => {
      const bench = await setBench()
      const diedMs = performance.now()
      const { alive, dead } = await twoJobs(bench)
      await bench.jump(jumpMs)
      const calling = setInterval(() => void alive.call(), 2_000)
      try {
        await until('it is told of the new time', async () => Math.abs(await aheadOf(bench, dead.id)) < 60)
        await statusIs(bench, dead.id, 'down')
      } finally {
        clearInterval(calling)
      }
      const toldMs = performance.now() - diedMs
      assert.ok(toldMs >= 15_000, `it was told after ${toldMs} ms, before its interval and grace were over`)
      assert.equal((await standingOf(bench.database, alive.id)).current_status, 'up')
      assert.deepEqual(bench.said, [])
    })
})

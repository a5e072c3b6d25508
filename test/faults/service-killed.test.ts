import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { underFault } from '../support/faults/fault-report.ts'
import { pause } from '../support/pause.ts'
import type { Perigee } from '../support/perigee-process.ts'
import { assertNothingLostOrDoubled, assertWritten } from '../support/kills/aftermath.ts'
import {
  type Bench,
  between,
  crashBench,
  crashTimeoutMs,
  kills,
  lastWordsOf,
  settlingKill,
  stops,
} from '../support/kills/bench.ts'
import { rhythm, startCallers } from '../support/kills/callers.ts'
import { listMonitors, startWriters } from '../support/kills/writers.ts'

/** The service takes targets up again for so long before the next kill, or dies this soon after its start. */
const [shortestLifeMs, longestLifeMs] = [400, 1_300]
const [shortestStartMs, longestStartMs] = [200, 1_800]
/** Every fourth kill comes while the service starts. */
const killsPerEarlyOne = 4
/** So long that every call is overdue when the service comes back from the last one. */
const longOutageMs = 1_000 * (rhythm.intervalSeconds + rhythm.graceSeconds)
/** A round that a kill cut short waits for this and ten seconds more before it is closed with what there is. */
const timeoutMs = 5_000

describe('a service that is killed', () => {
  it(`loses and doubles nothing in ${kills} kills`, { timeout: crashTimeoutMs }, async (t) => {
    await underFault(`the service is killed ${kills} times under load`, async (outcome) => {
      const bench = await crashBench({ timeoutMs, graceSeconds: rhythm.graceSeconds })
      let storedAtLeast = 0
      let perigee = await bench.begin()
      const { loaded, called } = await bench.fill()
      const callers = startCallers(called)
      const writers = startWriters(bench.client, { count: 3, targetUrl: bench.target.url })
      for (let kill = 1; kill <= kills; kill += 1) {
        storedAtLeast += await (kill % killsPerEarlyOne === 0 ? killEarly(perigee) : killLater(bench, perigee, kill))
        if (kill === settlingKill) {
          bench.settle()
          callers.settle()
        }
        if (kill === kills) await pause(longOutageMs)
        // After its time is up, the test starts no service that would outlive it.
        t.signal.throwIfAborted()
        perigee = bench.spawn()
      }
      await writers.stop()
      await bench.quiet()
      const listed = await listMonitors(bench.client)
      storedAtLeast += await bench.storedResults()
      await callers.stop()
      await stops(perigee)
      const { ledger } = writers
      assertWritten(listed, { loaded, ledger })
      const tally = await assertNothingLostOrDoubled(await bench.open(), {
        leastStored: 0,
        storedAtLeast,
        received: bench.receiver.received,
        requests: bench.target.requests,
        ledger,
        called,
      })
      // Each call that was answered was found.
      outcome.lost = 0
      assert.ok(bench.client.lost > 0 && tally.incidents > 0, 'the kills hit something')
      t.diagnostic(JSON.stringify({ ...tally, storedAtLeast, lost: bench.client.lost }))
    })
  })
})

async function killEarly(perigee: Perigee): Promise<number> {
  await pause(between(shortestStartMs, longestStartMs))
  await end(perigee)
  return 0
}

/** Gives what the service had counted as stored shortly before. */
async function killLater(bench: Bench, perigee: Perigee, kill: number): Promise<number> {
  await perigee.printed(/^Perigee is at /m)
  await pause(between(shortestLifeMs, longestLifeMs))
  await bench.hurry()
  const stored = await bench.storedResults()
  await bench.aim(kill)
  await end(perigee)
  return stored
}

async function end(perigee: Perigee): Promise<void> {
  assert.equal(perigee.child.exitCode, null, lastWordsOf(perigee))
  perigee.child.kill('SIGKILL')
  assert.equal(await perigee.ended(), 'SIGKILL')
  assert.doesNotMatch(perigee.stderr(), /"level":"(?:error|fatal)"|is a bug/)
}

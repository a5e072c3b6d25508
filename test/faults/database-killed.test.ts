import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { underFault } from '../support/faults/fault-report.ts'
import { pause } from '../support/pause.ts'
import { assertNothingLostOrDoubled, assertWritten } from '../support/kills/aftermath.ts'
import { between, crashBench, crashTimeoutMs, kills, lastWordsOf, settlingKill, stops } from '../support/kills/bench.ts'
import { rhythm, startCallers } from '../support/kills/callers.ts'
import { listMonitors, startWriters } from '../support/kills/writers.ts'

/** The database answers for so long before the next kill: the service gives up after more than 30 within a minute. */
const [shortestLifeMs, longestLifeMs] = [1_100, 2_500]
/** So long that no result misses its round, however often the database turns it away. */
const timeoutMs = 60_000

describe('a service whose database is killed', () => {
  it(`loses and doubles nothing in ${kills} kills`, { timeout: crashTimeoutMs }, async (t) => {
    await underFault(`its database is killed ${kills} times under load`, async (outcome) => {
      const bench = await crashBench({ timeoutMs, graceSeconds: rhythm.graceSeconds })
      const first = await bench.begin()
      const { loaded, called } = await bench.fill()
      const callers = startCallers(called)
      const writers = startWriters(bench.client, { count: 3, targetUrl: bench.target.url })
      for (let kill = 1; kill <= kills; kill += 1) {
        // After its time is up, the test stops killing.
        t.signal.throwIfAborted()
        await pause(between(shortestLifeMs, longestLifeMs))
        const [postmaster = 0, ...others] = await bench.aim(kill)
        // Without their first process the others finish what they are at; a machine that fails lets none of them.
        for (const pid of kill % 4 === 0 ? [postmaster] : [postmaster, ...others]) killNow(pid)
        // Answers when the database does.
        await listMonitors(bench.client)
        if (kill === settlingKill) {
          bench.settle()
          callers.settle()
        }
      }
      assert.equal(first.child.exitCode, null, lastWordsOf(first))
      assert.doesNotMatch(first.stderr(), /A request failed/, 'a database that is away is no bug')
      await writers.stop()
      await bench.settled()
      let storedAtLeast = await bench.storedResults()
      await stops(first)
      // The next start finds again the work that a killed database could not write down as done.
      t.signal.throwIfAborted()
      const second = bench.spawn()
      await second.printed(/^Perigee is at /m)
      await bench.quiet()
      const listed = await listMonitors(bench.client)
      storedAtLeast += await bench.storedResults()
      await callers.stop()
      await stops(second)
      const { ledger } = writers
      assertWritten(listed, { loaded, ledger })
      const tally = await assertNothingLostOrDoubled(await bench.open(), {
        leastStored: 0.95,
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

/** A process that ended by itself meanwhile is as good as killed. */
function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { expectTold, underFault } from '../support/faults/fault-report.ts'
import { faultFolder, startFaultyService } from '../support/faults/faulty-service.ts'
import { httpServer } from '../support/http-server.ts'
import { pause } from '../support/pause.ts'
import { signalBoth } from '../support/probers-apart.ts'

const each = 10
const intervalMs = 10_000
const timeoutMs = 5_000
const failureThreshold = 2
/** Hardly a check of a target that hangs is without a stop. */
const stopEveryMs = 5_400
const stopMs = 400
const watchedMs = 120_000
const slackMs = 10_000
const lateMs = failureThreshold * intervalMs + timeoutMs + slackMs

describe('a service that is stopped for a moment again and again', async () => {
  const hanging = new Set<string>()
  const target = await httpServer(({ url = '' }, response) => {
    if (!hanging.has(url)) response.end('ok')
  })
  const service = await startFaultyService(faultFolder(), { environment: { PERIGEE_ALLOW_PRIVATE_TARGETS: 'true' } })
  const hang = (name: string): void => void hanging.add(`/${name}`)
  const watch = (name: string): Promise<unknown> =>
    service.ask('POST', '/monitors', {
      name,
      url: `http://127.0.0.1:${target.port}/${name}`,
      interval_seconds: intervalMs / 1_000,
      timeout_ms: timeoutMs,
      failure_threshold: failureThreshold,
    })

  it('tells each target that hangs in time, and no other', { timeout: 250_000 }, async (t) => {
    const doomed = names('late')
    for (const name of [...names('good'), ...doomed]) await watch(name)
    await service.untilAllUp(new Date(), 60_000)
    const stutter = stutterOf(service.perigee.child.pid ?? assert.fail('it has no pid'))
    after(stutter.end)
    const beganMs = performance.now()
    await underFault('the service is stopped 0.4 s of each 5.4 s', async (outcome) => {
      const hung = names('hangs')
      hung.forEach(hang)
      for (const name of hung) await watch(name)
      const untilTold = (name: string): Promise<void> =>
        expectTold(outcome, name, { withinMs: lateMs, isTold: () => service.isDown(name) })
      await Promise.all(hung.map(untilTold))
      doomed.forEach(hang)
      await Promise.all(doomed.map(untilTold))
      await pause(watchedMs - (performance.now() - beganMs))
      outcome.told = await service.troubles()
      stutter.end()
      outcome.falseIncidents = await service.incidentsBeside(...hung, ...doomed)
      t.diagnostic(`${stutter.count()} stops`)
      assert.deepEqual(outcome.told, [])
    })
  })
})

function names(what: string): string[] {
  return Array.from({ length: each }, (_, index) => `${what}-${index}`)
}

type Stutter = { end: () => void; count: () => number }

function stutterOf(pid: number): Stutter {
  let count = 0
  let goOn: NodeJS.Timeout | undefined
  const stop = setInterval(() => {
    signalBoth(pid, 'SIGSTOP')
    count += 1
    goOn = setTimeout(() => signalBoth(pid, 'SIGCONT'), stopMs)
  }, stopEveryMs)
  return {
    end: () => {
      clearInterval(stop)
      clearTimeout(goOn)
      signalBoth(pid, 'SIGCONT')
    },
    count: () => count,
  }
}

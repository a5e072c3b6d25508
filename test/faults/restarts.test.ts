import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startCallers } from '../support/faults/callers.ts'
import { expectTold, underFault } from '../support/faults/fault-report.ts'
import { faultFolder, startFaultyService } from '../support/faults/faulty-service.ts'
import { httpServer } from '../support/http-server.ts'
import { pause } from '../support/pause.ts'
import { freePort } from '../support/free-port.ts'

const intervalMs = 10_000
const timeoutMs = 3_000
const slackMs = 10_000
/** How long the service lives each time: less and more than an interval. */
const livesMs = [4_000, 12_000, 1_000, 6_000, 200, 3_000, 11_000, 2_000]

describe('a service that is killed and started again and again', async () => {
  const gone = new Set<string>()
  const target = await httpServer((request, response) =>
    response.writeHead(gone.has(request.url ?? '') ? 500 : 200).end(),
  )
  const folder = faultFolder()
  const port = await freePort()
  const environment = { PERIGEE_ALLOW_PRIVATE_TARGETS: 'true', PERIGEE_PORT: String(port) }
  let service = await startFaultyService(folder, { environment })

  it('opens no incident of what is up, and loses no call', { timeout: 250_000 }, async () => {
    for (const name of ['one', 'two', 'three', 'four'])
      await service.ask('POST', '/monitors', {
        name,
        url: `http://127.0.0.1:${target.port}/${name}`,
        interval_seconds: intervalMs / 1_000,
        timeout_ms: timeoutMs,
      })
    const callers = startCallers(() => service)
    await callers.begin('job', { interval_seconds: intervalMs / 1_000, heartbeat_grace_seconds: 15 })
    await service.untilAllUp(new Date())
    await underFault('it is killed again and again', async (outcome) => {
      for (const [time, lifeMs] of livesMs.entries()) {
        await pause(lifeMs)
        service.perigee.child.kill('SIGKILL')
        assert.equal(await service.perigee.ended(), 'SIGKILL')
        if (time === livesMs.length - 3) gone.add('/three')
        service = await startFaultyService(folder, { environment })
      }
      await expectTold(outcome, 'three', {
        withinMs: intervalMs + timeoutMs + slackMs,
        isTold: () => service.isDown('three'),
      })
      await pause(2 * intervalMs)
      outcome.falseIncidents = await service.incidentsBeside('three')
      callers.end('job')
      outcome.lost = await callers.lost()
      outcome.told = await service.troubles()
      assert.ok(callers.answered() > 10, `${callers.answered()} calls were answered`)
    })
  })
})

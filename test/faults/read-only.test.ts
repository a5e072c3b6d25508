import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startCallers } from '../support/faults/callers.ts'
import { expectTold, underFault } from '../support/faults/fault-report.ts'
import { faultFolder, startFaultyService } from '../support/faults/faulty-service.ts'
import { readOnlyDisk } from '../support/faults/read-only-disk.ts'
import { httpServer } from '../support/http-server.ts'
import { postmasterOf } from '../support/postmaster.ts'
import { pause } from '../support/pause.ts'
import { until } from '../support/until.ts'

const program = fileURLToPath(new URL('../../bin/perigee.js', import.meta.url))
const intervalMs = 10_000
const timeoutMs = 3_000
const slackMs = 10_000
const toldMs = 30_000
const lastingMs = 45_000

describe('a service whose disk turns read-only', async () => {
  const folder = faultFolder()
  const gone = new Set<string>()
  const target = await httpServer(({ url = '' }, response) => {
    response.writeHead(gone.has(url) ? 500 : 200).end()
  })
  const disk = readOnlyDisk(join(folder, 'data'), program)
  const service = await startFaultyService(folder, {
    command: disk.command,
    environment: { PERIGEE_ALLOW_PRIVATE_TARGETS: 'true' },
  })
  const { pid = 0 } = service.perigee.child
  const callers = startCallers(() => service)

  it('says so, opens no incident, and tells an outage that began meanwhile', { timeout: 250_000 }, async () => {
    for (const name of ['one', 'two', 'three'])
      await service.ask('POST', '/monitors', {
        name,
        url: `http://127.0.0.1:${target.port}/${name}`,
        interval_seconds: intervalMs / 1_000,
        timeout_ms: timeoutMs,
        failure_threshold: 1,
      })
    for (const name of ['four', 'five'])
      await callers.begin(name, { interval_seconds: intervalMs / 1_000, heartbeat_grace_seconds: 5 })
    await service.untilAllUp(new Date(), 60_000)
    await underFault('its disk is read-only', async (outcome) => {
      disk.turn(pid, 'read-only')
      const beganMs = performance.now()
      try {
        await until('it says that it is not ready', async () => (await service.ready()) === 503, toldMs)
        await until('it tells its operator', async () => (await service.troubles()).length > 0, toldMs)
        outcome.told = await service.troubles()
        gone.add('/two')
        // PostgreSQL ends by itself when it has to begin another file of its log. It cannot be started again yet.
        process.kill(postmasterOf(join(folder, 'data')), 'SIGQUIT')
        await pause(lastingMs - (performance.now() - beganMs))
      } finally {
        disk.turn(pid, 'writable')
      }
      await until('it is ready', async () => (await service.ready()) === 200, 60_000)
      await expectTold(outcome, 'two', {
        withinMs: intervalMs + timeoutMs + slackMs,
        isTold: async () => service.isDown('two'),
      })
      await pause(2 * intervalMs)
      outcome.falseIncidents = await service.incidentsBeside('two')
      outcome.lost = await callers.lost()
      assert.deepEqual(await service.troubles(), [])
    })
  })
})

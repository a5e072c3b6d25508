import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { faultFolder, startFaultyService } from '../support/faults/faulty-service.ts'
import { httpServer } from '../support/http-server.ts'
import { pause } from '../support/pause.ts'
import { closedPort } from '../support/raw-server.ts'
import { until } from '../support/until.ts'

const intervalMs = 10_000
const timeoutMs = 3_000
const slackMs = 10_000
/** How long the service lives each time: less and more than an interval. */
const livesMs = [4_000, 12_000, 1_000, 6_000, 200, 3_000, 11_000, 2_000]
const created = z.looseObject({ data: z.looseObject({ id: z.string() }), heartbeat_url: z.string().nullable() })
const counted = z.looseObject({ data: z.array(z.looseObject({ checked_at: z.string() })) })

describe('a service that is killed and started again and again', async () => {
  const gone = new Set<string>()
  const target = await httpServer((request, response) =>
    response.writeHead(gone.has(request.url ?? '') ? 500 : 200).end(),
  )
  const folder = faultFolder()
  const port = await closedPort()
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
    const job = created.parse(
      await service.ask('POST', '/monitors', {
        name: 'job',
        kind: 'heartbeat',
        interval_seconds: intervalMs / 1_000,
        heartbeat_grace_seconds: 15,
      }),
    )
    const calls = callEverySecond(job.heartbeat_url ?? '')
    await service.untilAllUp(new Date())
    for (const [time, lifeMs] of livesMs.entries()) {
      await pause(lifeMs)
      service.perigee.child.kill('SIGKILL')
      assert.equal(await service.perigee.ended(), 'SIGKILL')
      if (time === livesMs.length - 3) gone.add('/three')
      service = await startFaultyService(folder, { environment })
    }
    await until('the outage is told', async () => (await titles()).length > 0, intervalMs + timeoutMs + slackMs)
    await pause(2 * intervalMs)
    assert.deepEqual(await titles(), ['three: three is down'])
    const answered = await calls.stop()
    const { data } = counted.parse(await service.ask('GET', `/monitors/${job.data.id}/results?limit=500`))
    assert.ok(answered > 10, `${answered} calls were answered`)
    assert.ok(data.length >= answered, `${answered} calls were answered 200, ${data.length} are stored`)
  })

  async function titles(): Promise<string[]> {
    return (await service.incidents()).map(({ monitor_name: name, title }) => `${name}: ${title}`)
  }
})

/** Calls until it is stopped; `stop` tells how many calls were answered 200. */
function callEverySecond(url: string): { stop: () => Promise<number> } {
  const ending = new AbortController()
  const calling = (async () => {
    let answered = 0
    while (!ending.signal.aborted) {
      const status = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
        async (answer) => {
          await answer.text()
          return answer.status
        },
        () => null,
      )
      if (status === 200) answered += 1
      await pause(1_000, ending.signal)
    }
    return answered
  })()
  return {
    stop: () => {
      ending.abort()
      return calling
    },
  }
}

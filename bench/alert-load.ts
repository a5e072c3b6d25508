import { z } from 'zod'
import { create, startAlertReceiver, startFailingTarget } from './support/alerting.ts'
import { latencies, percentile, whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { waitFor, withService } from './support/service.ts'

const monitors = 500
const contacts = 20
const intervalSeconds = 10
const deadlineMs = 300_000

/** 10,000 alerts to 20 contacts, when all of them answer and when one takes every request and answers none. */
export async function alertLoad(): Promise<void> {
  const all = await measure({ hanging: 0 })
  const most = await measure({ hanging: 1 })
  const ratio = percentile(most.delays, 0.5) / percentile(all.delays, 0.5)
  const last = percentile(most.delays, 0.99) / percentile(all.delays, 0.99)
  console.log(`alert-load: with one that hangs ${ratio.toFixed(2)} × at p50, ${last.toFixed(2)} × at p99, goal 1.1`)
}

async function measure({ hanging }: { hanging: number }): Promise<{ delays: number[] }> {
  const target = await startFailingTarget()
  const receivers = await Promise.all(
    Array.from({ length: contacts }, (_, index) => startAlertReceiver({ hangs: index < hanging })),
  )
  const working = receivers.slice(hanging)
  const wanted = monitors * working.length
  const count = (): number => working.reduce((sum, { arrivals }) => sum + arrivals.length, 0)
  try {
    return await withService(
      {
        seed: async (seed) => {
          await addMonitors(seed, monitors, (index) => ({
            name: `Monitor ${index}`,
            url: `${target.url}/${index}`,
            interval_seconds: intervalSeconds,
            expected_status_max: 299,
            failure_threshold: 1,
          }))
        },
      },
      async (service) => {
        for (const [index, { url }] of receivers.entries())
          await create(service, '/alert-channels', { name: `Contact ${index}`, kind: 'webhook', destination: url })
        target.allowFailures()
        await waitFor('every alert to the contacts that answer', () => count() >= wanted, { deadlineMs })
        const delays = working.flatMap(({ arrivals }) =>
          arrivals.map(({ body, at }) => at - (target.failedAt.get(monitorOf(body)) ?? Number.NaN)),
        )
        const tried = receivers.slice(0, hanging).reduce((sum, { arrivals }) => sum + arrivals.length, 0)
        const others = hanging === 0 ? '' : `, ${hanging} hangs and was asked ${tried} times`
        console.log(`${whole(wanted)} alerts to ${working.length} contacts${others}: ${latencies(delays)} from failure`)
        return { delays }
      },
    )
  } finally {
    await target.close()
    for (const receiver of receivers) await receiver.close()
  }
}

const told = z.object({ data: z.object({ monitor: z.object({ name: z.string() }) }) })

function monitorOf(body: string): number {
  return Number(told.parse(JSON.parse(body)).data.monitor.name.split(' ')[1])
}

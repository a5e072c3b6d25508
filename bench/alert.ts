import { once } from 'node:events'
import { request } from 'node:http'
import { z } from 'zod'
import {
  type AlertReceiver,
  create,
  type FailingTarget,
  startAlertReceiver,
  startFailingTarget,
} from './support/alerting.ts'
import { latencies, percentile } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { pause, type Service, waitFor, withService } from './support/service.ts'

const monitors = 400
const intervalSeconds = 10
const referenceCalls = 400
const deadlineMs = 90_000

/**
 * From the moment a failing answer has left the target to the moment the webhook's request arrives: told by itself, and
 * as the first step of an escalation policy beside a contact that gets bundles.
 */
export async function alert(): Promise<void> {
  const plain = await measure(async (service, receiver) => {
    await addWebhook(service, `${receiver.url}/told`)
  })
  console.log(`${plain.told.length} failures, one in a row is enough: ${latencies(plain.told)} to the webhook`)
  const escalated = await measure(async (service, receiver) => {
    const told = await addWebhook(service, `${receiver.url}/told`, { remind_every_minutes: 5 })
    const bundled = await addWebhook(service, `${receiver.url}/bundled`, { bundle: true })
    const later = await addWebhook(service, `${receiver.url}/later`)
    await create(service, '/escalation-policies', {
      name: 'Everybody',
      is_default: true,
      repeats: 1,
      steps: [
        { after_minutes: 0, contact_ids: [told, bundled] },
        { after_minutes: 15, contact_ids: [later] },
      ],
    })
  })
  console.log(`  by a policy, with reminders, beside a bundling contact: ${latencies(escalated.told)}`)
  console.log(`  the bundling contact: ${escalated.bundles} messages of ${escalated.bundled} alerts`)
  console.log(`  reference, the same request sent at once with nothing in between: ${latencies(plain.direct)}`)
  const [one, other] = [plain, escalated].map(({ told }) => percentile(told, 0.99).toFixed(0))
  console.log(`alert: ${one} ms p99 from failure to alert, ${other} ms with escalation and bundling, goal 1,000`)
}

type Measured = { told: number[]; direct: number[]; bundles: number; bundled: number }

async function measure(prepare: (service: Service, receiver: AlertReceiver) => Promise<void>): Promise<Measured> {
  const target = await startFailingTarget()
  const receiver = await startAlertReceiver()
  try {
    return await withService(
      {
        seed: async (seed) => {
          await addMonitors(seed, monitors, (index) => settingsOf(target, index))
        },
      },
      async (service) => {
        await prepare(service, receiver)
        target.allowFailures()
        const isThere = (): boolean => toldOf(receiver, '/told').size >= monitors
        await waitFor('every failure to be alerted', isThere, { deadlineMs }).catch((error: unknown) =>
          console.log(`${String(error)}; ${toldOf(receiver, '/told').size} of ${monitors} came`),
        )
        const told = [...toldOf(receiver, '/told')].map(
          ([index, at]) => at - (target.failedAt.get(index) ?? Number.NaN),
        )
        const isBundled = receiver.arrivals.some(({ path }) => path === '/bundled')
        if (isBundled)
          await waitFor('the bundles', () => toldOf(receiver, '/bundled').size >= monitors, { deadlineMs: 130_000 })
        const bundles = receiver.arrivals.filter(({ path }) => path === '/bundled').length
        const direct = await measureDirectCalls(receiver.url)
        return { told, direct, bundles, bundled: toldOf(receiver, '/bundled').size }
      },
    )
  } finally {
    await target.close()
    await receiver.close()
  }
}

function settingsOf(target: FailingTarget, index: number) {
  return {
    name: `Monitor ${index}`,
    url: `${target.url}/${index}`,
    interval_seconds: intervalSeconds,
    expected_status_max: 299,
    failure_threshold: 1,
  }
}

async function addWebhook(service: Service, destination: string, rules: object | null = null): Promise<string> {
  return create(service, '/alert-channels', { name: 'Bench', kind: 'webhook', destination, alert_rules: rules })
}

const one = z.object({ type: z.string(), data: z.object({ monitor: z.object({ name: z.string() }) }) })
const several = z.object({ type: z.literal('alerts.bundle'), data: z.object({ total: z.int() }) })

/** Arrival of the first alert of each monitor, by the number in its name; of those in a bundle, any numbers. */
function toldOf({ arrivals }: AlertReceiver, wanted: string): Map<number, number> {
  const told = new Map<number, number>()
  let unnamed = 0
  for (const { path, body, at } of arrivals) {
    if (path !== wanted) continue
    const read: unknown = JSON.parse(body)
    const bundle = several.safeParse(read)
    if (bundle.success) {
      for (let count = 0; count < bundle.data.data.total; count += 1) told.set((unnamed -= 1), at)
      continue
    }
    const { type, data } = one.parse(read)
    const index = Number(data.monitor.name.split(' ')[1])
    if (type === 'monitor.down' && !told.has(index)) told.set(index, at)
  }
  return told
}

/** A request over a fresh connection, from its beginning to its arrival. */
async function measureDirectCalls(url: string): Promise<number[]> {
  const latenciesMs: number[] = []
  for (let call = 0; call < referenceCalls; call += 1) {
    const startedAt = performance.now()
    const sent = request(url, { method: 'POST', agent: false }).end()
    const [answer] = await once(sent, 'response')
    answer.resume()
    latenciesMs.push(performance.now() - startedAt)
    await pause(1)
  }
  return latenciesMs
}

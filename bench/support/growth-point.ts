// The figures of one point of growth, of a service as an operator starts it.
import { z } from 'zod'
import { owner, signIn } from '../console.ts'
import { operatorSetting } from '../../test/support/operator.ts'
import { type AlertReceiver, create, type FailingTarget, startAlertReceiver, startFailingTarget } from './alerting.ts'
import { percentile, whole } from './figures.ts'
import type { Figures } from './growth-table.ts'
import {
  addWorld,
  failingIntervalSeconds,
  failingMonitors,
  locationCodes,
  type Point,
  statusPages,
} from './growth-world.ts'
import { readMetric } from './metrics.ts'
import { cpuBetween, treeCpu } from './process-tree.ts'
import { askEach } from './requests.ts'
import { pause, type Service, waitFor, withService } from './service.ts'
import { startTarget, type Target } from './target.ts'

/** Configurations are fetched and code is compiled before anything is counted. */
const settleMs = 15_000
const measureMs = 20_000
const stored = 'perigee_results_stored_total'
/** Requests of one kind, as many as there is time for. */
const requests = { fewest: 10, most: 300, budgetMs: 5_000 }
const firstRequests = 5
/** Another monitor each time, so that no two answers come from the same pages. */
const stride = 37
const pagesUncounted = 20
const startWithinMs = 600_000
/** Two checks that are good, then one that fails and is told. */
const alertWithinMs = 6 * failingIntervalSeconds * 1000

export async function measurePoint(point: Point): Promise<Figures> {
  const begunMs = performance.now()
  const target = await startTarget()
  const failing = await startFailingTarget()
  const receiver = await startAlertReceiver()
  try {
    const figures = await measureWorld(point, { target, failing, receiver })
    const parts = Object.entries(point).map(([name, value]) => `${whole(value)} ${name}`)
    console.log(`  measured: ${parts.join(', ')}, in ${whole((performance.now() - begunMs) / 1000)} s`)
    return figures
  } finally {
    await receiver.close()
    await failing.close()
    await target.stop()
  }
}

type Around = { target: Target; failing: FailingTarget; receiver: AlertReceiver }

async function measureWorld(point: Point, { target, failing, receiver }: Around): Promise<Figures> {
  let ids: string[] = []
  const codes = locationCodes(point)
  return withService(
    {
      startWithinMs,
      environment: {
        ...operatorSetting,
        PERIGEE_LOCATIONS: codes.map((code) => `${code}=${code}`).join(','),
        PERIGEE_OWNER_EMAIL: owner.email,
        PERIGEE_OWNER_PASSWORD: owner.password,
      },
      seed: async (seed) => {
        ids = await addWorld(seed, point, { urls: target.urls, failingUrl: failing.url })
      },
    },
    async (service) => {
      await create(service, '/alert-channels', { name: 'Bench', kind: 'webhook', destination: receiver.url })
      const checkCpu = await measureChecks(service)
      const answers = await measureAnswers(service, ids)
      const alert = await measureAlerts(failing, receiver)
      return { checkCpu, start: service.startedInMs / 1000, ...answers, alert }
    },
  )
}

/** CPU milliseconds of service and database for each check that was stored. */
async function measureChecks({ pid, url }: Service): Promise<number> {
  await pause(settleMs)
  const [before, storedBefore] = [treeCpu(pid), await readMetric(url, stored)]
  await pause(measureMs)
  const { total } = cpuBetween(before, treeCpu(pid))
  return total / ((await readMetric(url, stored)) - storedBefore)
}

async function measureAnswers(
  service: Service,
  ids: readonly string[],
): Promise<Pick<Figures, 'list' | 'detail' | 'overview' | 'page'>> {
  const { url, token } = service
  const headers = { 'X-API-Key': token }
  const root = `${url}/api/v1/monitors`
  const list = await medianOf(() => `${root}?limit=100`, headers)
  const detail = await medianOf((call) => `${root}/${ids[(call * stride) % ids.length]}`, headers)
  const overview = await medianOf(() => `${url}/api/v1/overview`, await signIn(service))
  const urls = Array.from({ length: statusPages }, (_, page) => `${url}/status/page-${page}`)
  const pages = await askEach({ urls, headers: {}, uncounted: pagesUncounted })
  return { list, detail, overview, page: percentile(pages.latenciesMs, 0.5) }
}

async function medianOf(urlOf: (call: number) => string, headers: Record<string, string>): Promise<number> {
  const ask = async (count: number, uncounted: number): Promise<number> => {
    const urls = Array.from({ length: count + uncounted }, (_, call) => urlOf(call))
    const { latenciesMs } = await askEach({ urls, headers, uncounted })
    return percentile(latenciesMs, 0.5)
  }
  const firstMs = await ask(firstRequests, 1)
  const { fewest, most, budgetMs } = requests
  return ask(Math.min(most, Math.max(fewest, Math.floor(budgetMs / firstMs))), firstRequests)
}

const told = z.object({ type: z.string(), data: z.object({ monitor: z.object({ name: z.string() }) }) })

/** From the failing answer that left the target to the webhook's arrival; the median of all that fail. */
async function measureAlerts(failing: FailingTarget, { arrivals }: AlertReceiver): Promise<number> {
  const toldAt = new Map<number, number>()
  failing.allowFailures()
  await waitFor(
    'every failure to be alerted',
    () => {
      for (const { body, at } of arrivals.splice(0)) {
        const { type, data } = told.parse(JSON.parse(body))
        const index = Number(data.monitor.name.split(' ')[1])
        if (type === 'monitor.down' && !toldAt.has(index)) toldAt.set(index, at)
      }
      return toldAt.size >= failingMonitors
    },
    { deadlineMs: alertWithinMs },
  ).catch((error: unknown) => console.log(`  ${String(error)}; ${toldAt.size} of ${failingMonitors} came`))
  return percentile(
    Array.from(toldAt, ([index, at]) => at - (failing.failedAt.get(index) ?? Number.NaN)),
    0.5,
  )
}

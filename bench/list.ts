import { latencies, percentile, whole } from './support/figures.ts'
import { addFirstHour, addHistory, historyDays, resultDays } from './support/history.ts'
import { addMonitors } from './support/installation.ts'
import { printReference, requestEach } from './support/requests.ts'
import { withService } from './support/service.ts'

const monitors = 1_000
const monitorsWithHistory = 50
const listRequests = 300
const detailRequests = 600

/**
 * The list of a workspace with 1,000 monitors, one monitor with a year behind it and one in its first hour, over HTTP, one at
 * a time.
 */
export async function list(): Promise<void> {
  let ids: string[] = []
  await withService(
    {
      seed: async (seed) => {
        ids = await addMonitors(seed, monitors, (index) => ({
          name: `Monitor ${index}`,
          url: 'http://127.0.0.1:9/',
          interval_seconds: 3600,
        }))
        await addHistory(seed.database, ids.slice(0, monitorsWithHistory))
        await addFirstHour(seed.database, ids.slice(monitorsWithHistory, 2 * monitorsWithHistory))
      },
    },
    async ({ url, token }) => {
      const headers = { 'X-API-Key': token }
      const root = `${url}/api/v1/monitors`
      const all = await requestEach(() => root, listRequests, headers)
      const one = await requestEach((call) => `${root}/${ids[call % monitorsWithHistory]}`, detailRequests, headers)
      const young = await requestEach(
        (call) => `${root}/${ids[monitorsWithHistory + (call % monitorsWithHistory)]}`,
        detailRequests,
        headers,
      )
      console.log(
        `GET /monitors with ${whole(monitors)}: ${latencies(all.latenciesMs)}, ${whole(all.text.length / 1000)} KB`,
      )
      await printReference(all)
      console.log(
        `GET /monitors/{id} with ${historyDays} day rollups, ${resultDays} days of results (an hour in a row, the last day ` +
          `one by one) and an outage every fifth day: ${latencies(one.latenciesMs)}, ${whole(one.text.length / 1000)} KB`,
      )
      await printReference(one)
      console.log(`GET /monitors/{id} in its first hour: ${latencies(young.latenciesMs)}`)
      await printReference(young)
      console.log(
        `list: ${percentile(all.latenciesMs, 0.99).toFixed(1)} ms p99 for the list, goal 50; ` +
          `${percentile(one.latenciesMs, 0.99).toFixed(1)} ms p99 for one monitor, goal 20`,
      )
    },
  )
}

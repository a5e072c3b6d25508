import { setImmediate as afterOthers } from 'node:timers/promises'
import { z } from 'zod'
import { invalidFields } from '#core/language/error.ts'
import {
  type Exposition,
  expositionSchema,
  roomFor,
  writeOpenMetrics,
  writePrometheus,
} from '#core/language/exposition.ts'
import {
  describeIncidents,
  describeMonitors,
  describeResponses,
  histogramName,
  histogramSamples,
  maxMeasuredMonitors,
  maxSamples,
  mayCountResponses,
  type MeasuredMonitor,
} from '#core/monitor-metrics.ts'
import { readMeasuredMonitors } from '#store/overview/measured-monitors.ts'
import { readResponseBuckets } from '#store/overview/response-buckets.ts'
import { monitorFilters } from '#operations/monitors/monitors-list.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Call, TextForm } from '#operations/pipeline/operation.ts'

/** The forms of an `Exposition`. Prometheus asks for the second before the first. */
export const metricForms: readonly [TextForm, ...TextForm[]] = [
  { type: 'text/plain', version: '0.0.4', write: (body) => writePrometheus(expositionSchema.parse(body)) },
  {
    type: 'application/openmetrics-text',
    version: '1.0.0',
    write: (body) => writeOpenMetrics(expositionSchema.parse(body)),
  },
]

const read = defineOperation({
  name: 'read_metrics',
  method: 'GET',
  path: '/metrics',
  scope: 'read',
  tag: 'Monitors',
  summary: 'Read the state, response times and uptime of all monitors, as Prometheus reads them',
  description:
    `The text format 0.0.4 of Prometheus, or OpenMetrics 1.0 if you ask for it. At most ${maxSamples} samples: a ` +
    `metric that does not fit is left out and named by \`perigee_metrics_omitted_samples\`. Several values of a ` +
    `parameter match any of them.`,
  query: { schema: z.object(monitorFilters), refusal: 400 },
  errors: [401],
  success: {
    status: 200,
    description: 'The metrics.',
    texts: metricForms,
  },
  run: async ({ caller, services, now }, { query: filter }) => {
    const { workspaceId } = caller
    const monitors = await readMeasuredMonitors(services.database, { workspaceId, filter, now })
    if (monitors.length > maxMeasuredMonitors)
      throw invalidFields(
        { tag: [`Must choose at most ${maxMeasuredMonitors} monitors, as may \`kind\`.`] },
        { status: 400 },
      )
    return { status: 200, body: await describe(monitors, { services, now }) }
  },
})

async function describe(
  monitors: readonly MeasuredMonitor[],
  { services, now }: Pick<Call, 'services' | 'now'>,
): Promise<Exposition> {
  const room = roomFor(maxSamples)
  room.add(describeIncidents(monitors))
  for (const family of describeMonitors(monitors)) {
    room.add(family)
    await afterOthers()
  }
  const samples = histogramSamples(monitors)
  if (room.taken + samples > maxSamples || !mayCountResponses(monitors)) {
    room.leaveOut(histogramName, samples)
    return room.exposition()
  }
  const monitorKeys = monitors.map(({ key }) => key)
  room.add(describeResponses(monitors, await readResponseBuckets(services.database, { monitorKeys, now })))
  return room.exposition()
}

export const monitorMetricsOperations = [read]

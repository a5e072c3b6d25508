// What programs such as Prometheus are told of the monitors of a workspace (docs/metrics.md).
import { type Family, boundText, labelText, sampleName } from '#core/language/exposition.ts'
import { oneLine } from '#core/language/one-line.ts'
import { type KindName, kindTraits } from '#core/monitors/kind-traits.ts'
import type { ShownState } from '#core/overview.ts'
import { tagKey } from '#core/tag-key.ts'
import { singleResults } from '#core/results/merge-spans.ts'
import { type ResponseBuckets, responseBoundsMs } from '#core/results/response-buckets.ts'

/** Days of UTC, today included, of which the uptime is told. */
export const uptimeWindows = [7, 30, 90] as const

export type MeasuredMonitor = {
  key: number
  id: string
  name: string
  kind: KindName
  tags: readonly string[]
  state: ShownState | 'unknown'
  intervalSeconds: number
  locationCount: number
  /** Times in milliseconds since 1970. */
  checkedAtMs: number | null
  certificateEndsMs: number | null
  domainEndsMs: number | null
  incident: { status: 'open' | 'acknowledged'; startedAtMs: number } | null
  /** The checks of each of the `uptimeWindows`, and how many of them were down. */
  windows: readonly { checks: number; down: number }[]
  today: { up: number; down: number; degraded: number }
  /** The newest check of each location that makes them. */
  newest: readonly { location: string; isUp: boolean; latencyMs: number | null }[]
}

/** More are too many for one answer; a tag or a kind chooses some. */
export const maxMeasuredMonitors = 20_000
/** Of one answer. */
export const maxSamples = 100_000
/** Checks that are not merged yet are counted one by one for histograms; each takes the database about a microsecond. */
const maxSingleChecks = 500_000
/** They are merged from two hours on, by whole quarter-hours, but for the newest of each monitor. */
const singleSeconds = 9000

export const histogramName = 'perigee_monitor_response_seconds'
const samplesOfHistogram = responseBoundsMs.length + 3

export function histogramSamples(monitors: readonly MeasuredMonitor[]): number {
  return monitors.filter(isProbed).length * samplesOfHistogram
}

/** Whether the checks that histograms need are few enough to be counted at each request. */
export function mayCountResponses(monitors: readonly MeasuredMonitor[]): boolean {
  const checks = monitors
    .filter(isProbed)
    .map(({ intervalSeconds, locationCount }) =>
      Math.max(singleResults, (singleSeconds / intervalSeconds) * locationCount),
    )
  return checks.reduce((sum, count) => sum + count, 0) <= maxSingleChecks
}

function isProbed({ kind }: Pick<MeasuredMonitor, 'kind'>): boolean {
  return kindTraits[kind].source === 'probed'
}

/** The names in the order in which they get room, each with what writes its samples. */
const families: readonly (Omit<Family, 'samples' | 'lines'> & { samplesOf: (monitor: MeasuredMonitor) => Sample[] })[] =
  [
    {
      name: 'perigee_monitor',
      type: 'info',
      unit: null,
      help: 'Always 1, with the tags of the monitor between commas.',
      samplesOf: ({ tags }) => [
        { labels: labelText({ tags: tags.length === 0 ? '' : `,${tags.map(tagKey).join(',')},` }), value: 1 },
      ],
    },
    {
      name: 'perigee_monitor_state',
      type: 'gauge',
      unit: null,
      help: 'Always 1, with the state that the monitor has now.',
      samplesOf: ({ state }) => [{ labels: labelText({ state }), value: 1 }],
    },
    {
      name: 'perigee_monitor_up',
      type: 'gauge',
      unit: null,
      help: '1 while the monitor is up or degraded, 0 while it is down; absent while nobody can tell.',
      samplesOf: ({ state }) =>
        state === 'up' || state === 'degraded' || state === 'down' ? [{ value: state === 'down' ? 0 : 1 }] : [],
    },
    {
      name: 'perigee_monitor_last_check_timestamp_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'When the monitor was last checked.',
      samplesOf: ({ checkedAtMs }) => momentOf(checkedAtMs),
    },
    {
      name: 'perigee_monitor_incident_start_timestamp_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'When the incident of the monitor began that is not resolved.',
      samplesOf: ({ incident }) =>
        incident === null
          ? []
          : [{ labels: labelText({ status: incident.status }), value: incident.startedAtMs / 1000 }],
    },
    {
      name: 'perigee_monitor_certificate_expiry_timestamp_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'When the certificate ends that the checks saw.',
      samplesOf: ({ certificateEndsMs }) => momentOf(certificateEndsMs),
    },
    {
      name: 'perigee_monitor_domain_expiry_timestamp_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'When the registration of the domain ends.',
      samplesOf: ({ domainEndsMs }) => momentOf(domainEndsMs),
    },
    {
      name: 'perigee_monitor_location_up',
      type: 'gauge',
      unit: null,
      help: 'Whether the newest check of each location was not down.',
      samplesOf: (monitor) =>
        newestOf(monitor).map(({ location, isUp }) => ({ labels: labelText({ location }), value: isUp ? 1 : 0 })),
    },
    {
      name: 'perigee_monitor_last_response_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'What the newest check of each location took, unless it was down.',
      samplesOf: (monitor) =>
        newestOf(monitor).flatMap(({ location, isUp, latencyMs }) =>
          isUp && latencyMs !== null ? [{ labels: labelText({ location }), value: latencyMs / 1000 }] : [],
        ),
    },
    {
      name: 'perigee_monitor_uptime_ratio',
      type: 'gauge',
      unit: 'ratio',
      help: 'Share of the checks that were not down, of the last days of UTC and today.',
      samplesOf: ({ windows }) =>
        windows.flatMap(({ checks, down }, at) =>
          checks === 0
            ? []
            : [{ labels: labelText({ window: `${uptimeWindows[at] ?? 0}d` }), value: (checks - down) / checks }],
        ),
    },
    {
      name: 'perigee_monitor_checks',
      type: 'counter',
      unit: null,
      help: 'Checks since 0:00 UTC, by what they found.',
      samplesOf: ({ today }) =>
        Object.entries(today).map(([result, value]) => ({ labels: labelText({ result }), value })),
    },
  ]

/** What a paused monitor was when it was last checked is not how it is. */
function newestOf({ state, newest, kind }: MeasuredMonitor): MeasuredMonitor['newest'] {
  return isProbed({ kind }) && state !== 'paused' && state !== 'unknown' ? newest : []
}

/** `labels` is what a sample has beside the monitor's own. */
type Sample = { labels?: string; value: number }

function momentOf(ms: number | null): Sample[] {
  return ms === null ? [] : [{ value: ms / 1000 }]
}

/** The figures of monitors, a name at a time, so that a caller can let others have their turn in between. */
export function* describeMonitors(monitors: readonly MeasuredMonitor[]): Generator<Family> {
  const labelled = monitors.map((monitor) => ({ monitor, own: ownLabels(monitor) }))
  for (const { samplesOf, ...family } of families) {
    const name = sampleName(family)
    const lines: string[] = []
    for (const { monitor, own } of labelled)
      for (const { labels, value } of samplesOf(monitor))
        lines.push(`${name}{${own}${labels === undefined ? '' : `,${labels}`}} ${value}\n`)
    yield { ...family, samples: lines.length, lines: lines.join('') }
  }
}

/** How many incidents of these monitors run: zeros too, so that there is something to compare with. */
export function describeIncidents(monitors: readonly MeasuredMonitor[]): Family {
  const name = 'perigee_incidents'
  const lines = (['open', 'acknowledged'] as const).map((status) => {
    const count = monitors.filter(({ incident }) => incident?.status === status).length
    return `${name}{${labelText({ status })}} ${count}\n`
  })
  const help = 'Incidents of the monitors that are not resolved.'
  return { name, type: 'gauge', unit: null, help, samples: lines.length, lines: lines.join('') }
}

/** A name may have line breaks, which the `.` of expressions does not match. */
function ownLabels({ id, name, kind }: MeasuredMonitor): string {
  return labelText({ monitor_id: id, name: oneLine(name), kind })
}

/** Zeros for those that have no checks yet: a counter that begins at one hides its first step. */
export function describeResponses(
  monitors: readonly MeasuredMonitor[],
  buckets: ReadonlyMap<number, ResponseBuckets>,
): Family {
  const lines = monitors.filter(isProbed).map((each) => histogramLines(ownLabels(each), buckets.get(each.key) ?? none))
  return {
    name: histogramName,
    type: 'histogram',
    unit: 'seconds',
    help: 'Response times of the checks since 0:00 UTC that were not down.',
    samples: lines.length * samplesOfHistogram,
    lines: lines.join(''),
  }
}

const none: ResponseBuckets = { counts: [], sumMs: 0 }
const boundTexts = [...responseBoundsMs.map((ms) => boundText(ms / 1000)), '+Inf']

function histogramLines(own: string, { counts, sumMs }: ResponseBuckets): string {
  let passed = 0
  const buckets = boundTexts.map((bound, at) => {
    passed += counts[at] ?? 0
    return `${histogramName}_bucket{${own},le="${bound}"} ${passed}\n`
  })
  return `${buckets.join('')}${histogramName}_sum{${own}} ${sumMs / 1000}\n${histogramName}_count{${own}} ${passed}\n`
}

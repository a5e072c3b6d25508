/** How bad a provider says that something is; planned maintenance is no failure of the provider. */
export const impacts = ['none', 'minor', 'major', 'critical'] as const
export type Impact = (typeof impacts)[number]

/** Something that goes on now. `components` are names it is filed under, `text` prose that may mention more. */
export type CloudIncident = { name: string; impact: Impact; components: string[]; text: string }

/** What a provider says of itself, whatever the format. */
export type CloudReport = {
  /** The state of everything together. */
  indicator: Impact
  /** All there are; null where the format lists only what is affected. */
  components: { name: string; impact: Impact }[] | null
  incidents: CloudIncident[]
}

/** Bounds for answers that are hostile. */
const maxEntries = 5000
const maxIncidents = 50

export function worst(found: readonly Impact[]): Impact {
  return impacts[Math.max(0, ...found.map((impact) => impacts.indexOf(impact)))] ?? 'none'
}

/** Where components are not listed, all together is as bad as its worst incident. */
export function reportOf(incidents: CloudIncident[]): CloudReport {
  const kept = incidents.slice(0, maxIncidents)
  return { indicator: worst(kept.map(({ impact }) => impact)), components: null, incidents: kept }
}

/** A report in one of the known JSON formats, at `nowMs`; null when the value is none of them. */
export function readJsonReport(value: unknown, nowMs: number): CloudReport | null {
  if (isObject(value)) return readStatuspage(value)
  if (!Array.isArray(value)) return null
  const entries = value.slice(0, maxEntries).filter(isObject)
  if (value.length > 0 && !entries.some((entry) => isGoogle(entry) || isAmazon(entry))) return null
  return reportOf(entries.flatMap((entry) => (isGoogle(entry) ? googleIncident(entry, nowMs) : amazonIncident(entry))))
}

type Entry = Record<string, unknown>

const componentImpacts: Readonly<Record<string, Impact>> = {
  operational: 'none',
  under_maintenance: 'none',
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
}
const statedImpacts: Readonly<Record<string, Impact>> = {
  none: 'none',
  maintenance: 'none',
  minor: 'minor',
  major: 'major',
  critical: 'critical',
}
const overStatuses = new Set(['resolved', 'postmortem', 'completed'])

/** summary.json, or status.json, of a Statuspage (developer.statuspage.io, "Summary"). */
function readStatuspage(page: Entry): CloudReport | null {
  const stated = isObject(page['status']) ? page['status']['indicator'] : undefined
  const listed = page['components']
  if (typeof stated !== 'string' && !Array.isArray(listed)) return null
  const components = entriesOf(listed).map((entry) => ({
    name: textOf(entry['name']),
    impact: lookUp(componentImpacts, entry['status']),
  }))
  const indicator = typeof stated === 'string' ? lookUp(statedImpacts, stated) : worst(components.map(impactOf))
  const incidents = entriesOf(page['incidents'])
    .filter((entry) => !overStatuses.has(textOf(entry['status'])))
    .map((entry) => ({
      name: textOf(entry['name']),
      impact: lookUp(statedImpacts, entry['impact']),
      components: namesOf(entry['components'], ['name']),
      text: '',
    }))
  return {
    indicator,
    components: Array.isArray(listed) ? components : null,
    incidents: incidents.slice(0, maxIncidents),
  }
}

const googleImpacts: Readonly<Record<string, Impact>> = {
  SERVICE_INFORMATION: 'minor',
  SERVICE_DISRUPTION: 'major',
  SERVICE_OUTAGE: 'critical',
}
const googleSeverities: Readonly<Record<string, Impact>> = { low: 'minor', medium: 'major', high: 'critical' }

function isGoogle(entry: Entry): boolean {
  return typeof entry['begin'] === 'string' && ('external_desc' in entry || 'status_impact' in entry)
}

/** An entry of incidents.json as status.cloud.google.com has it; what has ended is no incident. */
function googleIncident(entry: Entry, nowMs: number): CloudIncident[] {
  const end = Date.parse(textOf(entry['end']))
  if (end <= nowMs || Date.parse(textOf(entry['begin'])) > nowMs) return []
  const impact =
    entry['status_impact'] === undefined
      ? lookUp(googleSeverities, entry['severity'])
      : lookUp(googleImpacts, entry['status_impact'])
  const components = [
    ...namesOf(entry['affected_products'], ['title', 'id']),
    ...namesOf(entry['currently_affected_locations'], ['title', 'id']),
    textOf(entry['service_name']),
  ]
  return [{ name: textOf(entry['external_desc']), impact, components: components.filter(isNotEmpty), text: '' }]
}

const amazonImpacts: Readonly<Record<string, Impact>> = { 0: 'none', 1: 'minor', 2: 'major', 3: 'critical' }

function isAmazon(entry: Entry): boolean {
  return 'service' in entry && ('event_log' in entry || 'region_name' in entry || 'arn' in entry)
}

/** An entry of currentevents as health.aws.amazon.com has it. */
function amazonIncident(entry: Entry): CloudIncident[] {
  const name = textOf(entry['summary'])
  const hasEnded = isSet(entry['end_time']) || isSet(entry['endTime']) || /^\[?resolved\b/i.test(name)
  const impact = lookUp(amazonImpacts, typeof entry['status'] === 'number' ? `${entry['status']}` : entry['status'])
  if (hasEnded || impact === 'none') return []
  const components = ['service_name', 'service', 'region_name', 'region'].map((key) => textOf(entry[key]))
  return [{ name, impact, components: components.filter(isNotEmpty), text: '' }]
}

/** A word that is not known is a problem of a kind that is not known either: a small one, so that it is seen. */
function lookUp(known: Readonly<Record<string, Impact>>, word: unknown): Impact {
  const text = textOf(word)
  return Object.hasOwn(known, text) ? (known[text] ?? 'minor') : 'minor'
}

function impactOf({ impact }: { impact: Impact }): Impact {
  return impact
}

function namesOf(list: unknown, keys: readonly string[]): string[] {
  return entriesOf(list).flatMap((entry) => keys.map((key) => textOf(entry[key])).filter(isNotEmpty))
}

function entriesOf(list: unknown): Entry[] {
  return Array.isArray(list) ? list.slice(0, maxEntries).filter(isObject) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, 500) : ''
}

function isNotEmpty(text: string): boolean {
  return text !== ''
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

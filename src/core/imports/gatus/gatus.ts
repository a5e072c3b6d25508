// Gatus: its configuration, of which several files make one. Its dashboard becomes a status page.
import { isTimeZone } from '#core/language/time-zone.ts'
import { durationOf } from '#core/imports/durations.ts'
import { createFindings, type Findings, type Where } from '#core/imports/findings.ts'
import { gatusAlerting } from './gatus-alerts.ts'
import { type GatusProvider, readGatusContacts } from './gatus-contacts.ts'
import { gatusSettings } from './gatus-kinds.ts'
import { type GatusEndpoint, type GatusExternal, type GatusFile, gatusSchema, type GatusWindow } from './gatus-rows.ts'
import { readAs } from '#core/imports/import-json.ts'
import { ImportError, type ImportedFile, type ImportedMonitorInput } from '#core/imports/imported.ts'
import { intervalOf, nameOf, oneLine, shown, tagsOf, timeoutOf } from '#core/imports/monitor-parts.ts'
import { plainSlug } from '#core/imports/page-parts.ts'

const maxDocuments = 100

/** `documents` are the values of the files' YAML, in the order in which Gatus merges the files: by their names. */
export function readGatus(documents: readonly unknown[]): ImportedFile {
  if (documents.length > maxDocuments) throw new ImportError(`It has more than ${maxDocuments} documents.`)
  const file = merged(
    documents.filter((each) => each !== null && each !== undefined).map((each) => readAs(each, gatusSchema)),
  )
  const endpoints = file.endpoints ?? []
  const externals = file['external-endpoints'] ?? []
  if (endpoints.length + externals.length + (file.suites ?? []).length === 0)
    throw new ImportError('The file has no endpoints, so it is not a Gatus configuration.')
  const findings = createFindings()
  const reading: Reading = { findings, providers: readGatusContacts(file.alerting ?? {}, findings), groups: new Map() }
  for (const [index, endpoint] of endpoints.entries()) readEndpoint(endpoint, `endpoints[${index}]`, reading)
  for (const [index, external] of externals.entries()) readExternal(external, `external-endpoints[${index}]`, reading)
  readRest(file, findings)
  readPage(file, reading)
  return findings.file()
}

type Reading = {
  findings: Findings
  providers: ReadonlyMap<string, GatusProvider>
  /** Keys of monitors by their group, for the page. */
  groups: Map<string, string[]>
}

/** Lists are joined; of anything else the last file that has it decides. */
function merged(files: readonly GatusFile[]): GatusFile {
  return {
    endpoints: files.flatMap(({ endpoints }) => endpoints ?? []),
    'external-endpoints': files.flatMap((file) => file['external-endpoints'] ?? []),
    suites: files.flatMap(({ suites }) => suites ?? []),
    announcements: files.flatMap(({ announcements }) => announcements ?? []),
    alerting: Object.fromEntries(files.flatMap(({ alerting }) => Object.entries(alerting ?? {}))),
    maintenance: files.findLast(({ maintenance }) => maintenance !== null && maintenance !== undefined)?.maintenance,
    ui: files.findLast(({ ui }) => ui !== null && ui !== undefined)?.ui,
    remote: files.findLast(({ remote }) => remote !== null && remote !== undefined)?.remote,
  }
}

type Settings = Partial<ImportedMonitorInput>

const usualIntervalMs = 60_000

function readEndpoint(endpoint: GatusEndpoint, place: string, reading: Reading): void {
  const { findings } = reading
  const where = { place, findings }
  const settings = gatusSettings(endpoint, where)
  if (settings === null) return
  noteClient(endpoint, settings, where)
  noteVariables(endpoint, where)
  const interval = durationOf(endpoint.interval) ?? usualIntervalMs
  const timeout = durationOf(endpoint.client?.timeout ?? null)
  const key = add(endpoint, place, {
    reading,
    settings: {
      ...settings,
      interval_seconds: intervalOf(interval / 1000, { place: `${place}.interval`, findings }),
      ...(timeout === null ? {} : { timeout_ms: timeoutOf(timeout, { place: `${place}.client.timeout`, findings }) }),
    },
  })
  if (key === null) return
  for (const [index, window] of (endpoint['maintenance-windows'] ?? []).entries())
    readWindow(
      window,
      { place: `${place}.maintenance-windows[${index}]`, findings },
      { key, name: endpoint.name ?? key },
    )
}

function readExternal(external: GatusExternal, place: string, reading: Reading): void {
  const { findings } = reading
  const interval = durationOf(external.heartbeat?.interval ?? null) ?? 0
  findings.changed(`${place}.token`, 'Give the program that reports this status the address of its monitor in Perigee.')
  if (interval === 0) findings.changed(`${place}.heartbeat`, 'Perigee expects it once a day; Gatus never did.')
  const seconds =
    interval === 0 ? 86_400 : intervalOf(interval / 1000, { place: `${place}.heartbeat.interval`, findings })
  add(external, place, {
    reading,
    settings: { kind: 'heartbeat', interval_seconds: seconds, heartbeat_grace_seconds: 0 },
  })
}

type Common = Pick<GatusEndpoint, 'name' | 'group' | 'enabled' | 'alerts'>

/** Returns the key of the monitor, null where it does not arrive. */
function add(
  endpoint: Common,
  place: string,
  { reading, settings }: { reading: Reading; settings: Partial<ImportedMonitorInput> },
): string | null {
  const { findings, providers, groups } = reading
  const where = { place, findings }
  const name = nameOf(endpoint.name, settings.url ?? 'Endpoint')
  const group = endpoint.group ?? ''
  const alerting = gatusAlerting(endpoint.alerts ?? [], providers, where)
  const isSlowTold =
    settings.check_options?.['max_latency_ms'] !== undefined && alerting.failure_threshold !== undefined
  const key = findings.keyOf('monitors', group === '' ? name : `${group} ${name}`)
  const isAdded = findings.addMonitor({
    key,
    place,
    isPaused: !endpoint.enabled,
    history: [],
    input: {
      name,
      ...settings,
      ...alerting,
      ...(isSlowTold ? { alert_degraded_rounds: alerting.failure_threshold } : {}),
      tags: tagsOf(group === '' ? [] : [group], where),
    },
  })
  if (!isAdded) return null
  const members = groups.get(group)
  if (members === undefined) groups.set(group, [key])
  else members.push(key)
  return key
}

const variable = /\$\{?([A-Z_][A-Z0-9_]+)\}?/

/** Gatus puts variables of its environment in place of their names before it reads the file. */
function noteVariables({ name: own, url, body, headers }: GatusEndpoint, { place, findings }: Where): void {
  const texts = [own, url, body, ...Object.values(headers ?? {})]
  const [name] = texts.flatMap((text) => variable.exec(text ?? '')?.[1] ?? [])
  if (name !== undefined)
    findings.changed(place, `It holds the variable ${shown(name)} of the environment, whose value is not in the file.`)
}

/** What no check does. */
const clientNotes: Readonly<Record<string, string>> = {
  'identity-aware-proxy': 'Checks do not sign in at a proxy of Google, so this one is sent without credentials.',
  tls: 'The files with its certificates are not read. Put their content into the options of the check.',
  tunnel: 'Gatus used a tunnel; Perigee checks the target directly.',
}

/** What only web checks do. */
const webNotes: Readonly<Record<string, string>> = {
  'dns-resolver': 'Perigee asks the name servers of the location instead.',
  oauth2: 'Checks of this kind do not sign in with OAuth 2, so this one is sent without credentials.',
  'proxy-url': 'Gatus used a proxy; Perigee checks the target directly.',
}

function noteClient({ client }: GatusEndpoint, { kind }: Settings, where: Where): void {
  const { place, findings } = where
  if (client === null || client === undefined) return
  const isWeb = kind === 'http' || kind === 'api'
  if (client.insecure && (kind === 'ssl' || kind === 'smtp'))
    findings.changed(`${place}.client.insecure`, 'Perigee checks the certificate of the target; Gatus did not.')
  for (const [name, message] of Object.entries(isWeb ? clientNotes : { ...clientNotes, ...webNotes }))
    if (client[name] !== null && client[name] !== undefined) findings.changed(`${place}.client.${name}`, message)
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** A window of one monitor, or of all where none is given. */
function readWindow(
  window: GatusWindow,
  { place, findings }: WindowPlace,
  monitor: { key: string; name: string } | null,
): void {
  const { start, duration, timezone, every } = window
  if (!window.enabled) return
  const lastsMs = durationOf(duration)
  const days = (every ?? []).map((day) => weekdays.indexOf((day ?? '').toLowerCase()) + 1)
  if (start === null || lastsMs === null || days.includes(0) || !/^\d\d:\d\d$/.test(start)) {
    findings.lost(place, 'It has no start, duration or weekdays that can be read.')
    return
  }
  const timeZone = timezone !== null && isTimeZone(timezone) ? timezone : 'UTC'
  if (timezone !== null && timezone !== timeZone)
    findings.changed(`${place}.timezone`, `"${shown(timezone)}" is no time zone: its times are those of UTC here.`)
  const name = monitor === null ? 'Maintenance' : oneLine(`Maintenance of ${monitor.name}`, 160)
  findings.addMaintenance({
    key: findings.keyOf('maintenance', name),
    place,
    input: {
      name,
      schedule: {
        type: 'weekly',
        weekdays: days.length === 0 ? [1, 2, 3, 4, 5, 6, 7] : [...new Set(days)].toSorted((one, other) => one - other),
        starts: start,
        duration_minutes: Math.max(1, Math.round(lastsMs / 60_000)),
      },
      time_zone: timeZone,
      monitor_ids: monitor === null ? null : [monitor.key],
    },
  })
}

type WindowPlace = { place: string; findings: Findings }

function readRest({ maintenance, suites, announcements, remote }: GatusFile, findings: Findings): void {
  if (maintenance !== null && maintenance !== undefined)
    readWindow(maintenance, { place: 'maintenance', findings }, null)
  for (const [index, { name }] of (suites ?? []).entries())
    findings.lost(
      `suites[${index}]`,
      `${shown(name ?? 'It')} is a suite. A monitor of the kind transaction makes requests in a row, without values that one hands to the next.`,
    )
  if (announcements?.length) findings.lost('announcements', `Announcements are not imported: ${announcements.length}.`)
  if (remote !== null && remote !== undefined)
    findings.lost('remote', 'Endpoints of other instances are theirs: import the configuration of each.')
}

const maxOnPage = 200
const maxSections = 50

/** The dashboard may stand in a network of its own, and a page here is public, so the page is a draft. */
function readPage({ ui }: GatusFile, { findings, groups }: Reading): void {
  const title = oneLine(ui?.header ?? ui?.['dashboard-heading'] ?? 'Services', 160)
  let room = maxOnPage
  const sections = [...groups].slice(0, maxSections).map(([name, keys]) => {
    const monitors = keys.slice(0, room)
    room -= monitors.length
    return { name: oneLine(name, 160), monitors: monitors.map((key) => ({ monitor_id: key, name: null })) }
  })
  if (sections.length === 0) return
  const listed = [...groups.values()].reduce((sum, keys) => sum + keys.length, 0)
  const onPage = maxOnPage - room
  if (onPage < listed) findings.lost('ui', `One status page holds ${onPage} of the ${listed} monitors.`)
  findings.changed('ui', 'The dashboard becomes a draft of a status page. Readers see it once you publish it.')
  findings.addPage({
    key: findings.keyOf('pages', title),
    place: 'ui',
    input: { slug: plainSlug(title), title, visibility: 'draft', sections },
  })
}

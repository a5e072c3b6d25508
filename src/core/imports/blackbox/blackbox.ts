// blackbox_exporter with the targets that Prometheus has it probe. Who is told of what stands in alerting rules and in
// Alertmanager, which are not read.
import {
  type BlackboxJob,
  type BlackboxModule,
  moduleSchema,
  modulesFile,
  prometheusFile,
  type TargetGroup,
  targetGroups,
} from './blackbox-rows.ts'
import { blackboxSettings } from './blackbox-kinds.ts'
import { durationOf } from '#core/imports/durations.ts'
import { createFindings, type Findings, type Where } from '#core/imports/findings.ts'
import { readAs } from '#core/imports/import-json.ts'
import { ImportError, type ImportedFile, importLimits } from '#core/imports/imported.ts'
import { intervalOf, nameOf, shown, tagsOf, timeoutOf } from '#core/imports/monitor-parts.ts'

const maxDocuments = 100

/** `documents` are the values of the files' YAML: modules, scrape configurations and lists of targets, in any order. */
export function readBlackbox(documents: readonly unknown[]): ImportedFile {
  if (documents.length > maxDocuments) throw new ImportError(`It has more than ${maxDocuments} documents.`)
  const { modules, jobs, lists, usual } = sorted(documents)
  if (jobs.length === 0) throw new ImportError('The file has no scrape_configs of Prometheus, which name the targets.')
  const findings = createFindings()
  assertCount(jobs, lists)
  const reading: Reading = { findings, modules, told: new Set() }
  for (const [index, job] of jobs.entries()) {
    const place = `scrape_configs[${index}]`
    const name = moduleOf(job)
    if (name === null) continue
    const module = modules.get(name)
    if (module === undefined) findings.lost(`${place}.params`, `No file has the module "${shown(name)}".`)
    else readJob(job, place, { ...reading, module: { name, ...module }, lists, usual })
  }
  findings.changed(
    'scrape_configs',
    'Alerting rules and Alertmanager decided who was alerted. In Perigee, all contacts of the workspace are alerted after one failed round.',
  )
  return findings.file()
}

/** Asked before they are read, because a list that aliases repeat is as long as the file says it is. */
function assertFew(document: unknown): void {
  let count = 0
  const jobs = Array.isArray(document) ? [{ static_configs: document }] : itemsOf(membersOf(document)['scrape_configs'])
  for (const job of jobs)
    for (const group of itemsOf(membersOf(job)['static_configs'])) {
      count += Math.max(1, itemsOf(membersOf(group)['targets']).length)
      if (count > importLimits.monitors) throw tooMany(count)
    }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, importLimits.monitors + 1) : []
}

function tooMany(count: number): ImportError {
  return new ImportError(`It has at least ${count} targets, and an import takes ${importLimits.monitors}.`)
}

/** Jobs whose targets stand in files have those of all files. */
function assertCount(jobs: readonly BlackboxJob[], lists: readonly TargetGroup[][]): void {
  const inFiles = countOf(lists.flat())
  let count = 0
  for (const { static_configs: groups, file_sd_configs: files } of jobs)
    count += countOf(groups ?? []) + (files === null || files === undefined ? 0 : inFiles)
  if (count > importLimits.monitors) throw tooMany(count)
}

function countOf(groups: readonly TargetGroup[]): number {
  return groups.reduce((sum, { targets }) => sum + (targets?.length ?? 0), 0)
}

type Module = { module: BlackboxModule; place: string }
type Reading = {
  findings: Findings
  modules: ReadonlyMap<string, Module>
  /** What was noted of modules, each once. */
  told: Set<string>
}
type Sorted = {
  modules: Map<string, Module>
  jobs: BlackboxJob[]
  lists: TargetGroup[][]
  usual: { scrape_interval: string | null; scrape_timeout: string | null }
}

/** What the exporter has when it is installed. */
const builtin: readonly (readonly [name: string, module: unknown])[] = [
  ['http_2xx', { prober: 'http' }],
  ['http_post_2xx', { prober: 'http', http: { method: 'POST' } }],
  ['tcp_connect', { prober: 'tcp' }],
  ['ssh_banner', { prober: 'tcp', tcp: { query_response: [{ expect: '^SSH-2.0-' }] } }],
  ['icmp', { prober: 'icmp' }],
]

function sorted(documents: readonly unknown[]): Sorted {
  const found: Sorted = {
    modules: new Map(),
    jobs: [],
    lists: [],
    usual: { scrape_interval: null, scrape_timeout: null },
  }
  for (const [name, module] of builtin)
    found.modules.set(name, { module: readAs(module, moduleSchema), place: `modules.${name}` })
  for (const [index, document] of documents.entries()) {
    if (document === null || document === undefined || document === '') continue
    const place = documents.length > 1 ? `file ${index + 1}` : ''
    assertFew(document)
    if (Array.isArray(document)) found.lists.push(readAs(document, targetGroups, place))
    else if (typeof document === 'object' && 'modules' in document)
      for (const [name, module] of Object.entries(readAs(document, modulesFile, place).modules).slice(0, 1_000))
        found.modules.set(name, { module, place: `modules.${name.slice(0, 100)}` })
    else {
      const { global, scrape_configs: jobs } = readAs(document, prometheusFile, place)
      found.jobs.push(...jobs)
      found.usual = { ...found.usual, ...global }
    }
  }
  return found
}

/** Null for a job that is not of the exporter. */
function moduleOf({ metrics_path: path, params }: BlackboxJob): string | null {
  const name = params?.['module']?.[0] ?? null
  return name ?? (path?.endsWith('/probe') === true ? 'http_2xx' : null)
}

type JobReading = Reading & {
  module: Module & { name: string }
  lists: readonly TargetGroup[][]
  usual: Sorted['usual']
}

function readJob(job: BlackboxJob, place: string, reading: JobReading): void {
  const { findings, lists } = reading
  for (const name of Object.keys(job))
    if (name.endsWith('_sd_configs') && name !== 'file_sd_configs')
      findings.lost(`${place}.${name.slice(0, 100)}`, 'Targets that Prometheus discovers itself are not imported.')
  const hasFiles = job.file_sd_configs !== null && job.file_sd_configs !== undefined
  if (hasFiles && lists.length === 0)
    findings.lost(
      `${place}.file_sd_configs`,
      'The files with its targets are missing. Import them together with this one.',
    )
  const groups = [...(job.static_configs ?? []), ...(hasFiles ? lists.flat() : [])]
  const rename = renameOf(job, { place, findings })
  for (const [index, { targets, labels }] of groups.entries())
    for (const [at, target] of (targets ?? []).entries())
      if (target !== null)
        readTarget(rename(target), {
          ...reading,
          job,
          labels: labels ?? {},
          place: `${place}.targets[${index}][${at}]`,
        })
}

/** Labels of a target that make its address another one. */
function renameOf({ relabel_configs: rules }: BlackboxJob, { place, findings }: Where): (target: string) => string {
  const replacing = (rules ?? []).filter(
    ({ target_label: label, replacement }) =>
      label === '__param_target' && replacement !== null && replacement !== '$1',
  )
  const [only] = replacing
  if (only === undefined) return (target) => target
  const pattern = only.replacement ?? ''
  if (replacing.length === 1 && only.regex === null && /^[^$]*(?:\$1|\$\{1\})[^$]*$/.test(pattern))
    return (target) => pattern.replace(/\$1|\$\{1\}/, () => target)
  findings.lost(
    `${place}.relabel_configs`,
    'Targets are imported as they are listed, because their relabelling is too complex.',
  )
  return (target) => target
}

type TargetReading = JobReading & { job: BlackboxJob; labels: Readonly<Record<string, string | null>>; place: string }

const usualIntervalMs = 60_000
const usualTimeoutMs = 10_000

function readTarget(target: string, reading: TargetReading): void {
  const { findings, module, job, labels, place, usual } = reading
  const where = { place, findings }
  const settings = blackboxSettings(target, {
    module: module.module,
    where,
    notes: { place: module.place, findings: once(reading) },
  })
  if (settings === null) return
  const interval = durationOf(job.scrape_interval ?? usual.scrape_interval) ?? usualIntervalMs
  const timeout = durationOf(module.module.timeout ?? job.scrape_timeout ?? usual.scrape_timeout) ?? usualTimeoutMs
  const words = Object.entries(labels).flatMap(([name, value]) => (value === null ? [] : [`${name}:${value}`]))
  const name = nameOf(target, 'Target')
  findings.addMonitor({
    key: findings.keyOf('monitors', name),
    place,
    isPaused: false,
    history: [],
    input: {
      name,
      ...settings,
      interval_seconds: intervalOf(interval / 1000, where),
      timeout_ms: timeoutOf(timeout, where),
      tags: tagsOf(job.job_name === null ? words : [job.job_name, ...words], where),
      contacts: null,
    },
  })
}

/** Notes of a module, each told once however many targets it has. */
function once({ findings, told }: Reading): Where['findings'] {
  const tell = (effect: 'changed' | 'lost') => (place: string, message: string) => {
    const note = `${effect} ${place} ${message}`
    if (told.has(note)) return
    told.add(note)
    findings[effect](place, message)
  }
  return { changed: tell('changed'), lost: tell('lost') }
}

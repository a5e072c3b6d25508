import { importSources, type ImportSource } from '#core/imports/import-source.ts'
import { arrivalsOf } from '#core/imports/import-report.ts'
import type { ImportNote } from '#core/imports/imported.ts'
import { usualKind } from '#core/monitors/kind-traits.ts'
import type { SettledImport } from '#operations/imports/import-project.ts'
import { printable, table } from '#cli/table.ts'
import type { Trial } from './try-monitors.ts'

export type ImportReport = {
  source: ImportSource
  settled: SettledImport
  /** By the keys of monitors; null where none was tried. */
  trials: ReadonlyMap<string, Trial> | null
}

/** Whether all arrives as it was, and answers. */
export function isPlain({ settled: { file }, trials }: ImportReport): boolean {
  const isSound = [...(trials?.values() ?? [])].every((trial) => !isFailed(trial))
  return isSound && file.notes.length === 0
}

function isFailed(trial: Trial): boolean {
  return trial.type === 'untried' || (trial.type === 'checked' && trial.status === 'down')
}

const longestTarget = 60

/** Tables of what arrives, then what is another thing here, then what is lost. */
export function reportText(report: ImportReport): string {
  const { source, settled, trials } = report
  const { file, project, calls } = settled
  const called = new Set(calls.map(({ monitorKey }) => monitorKey))
  const rows = file.monitors.map(({ key, input }) => [
    key,
    input.kind ?? usualKind,
    shortened(input.url ?? ''),
    ...(trials === null ? [] : [trialText(trials.get(key), called.has(key))]),
  ])
  const header = ['MONITOR', 'KIND', 'TARGET', ...(trials === null ? [] : ['FROM HERE'])]
  const others = [
    ...file.contacts.map(({ key, input }) => ['contact', key, input.kind]),
    ...file.pages.map(({ key, input }) => ['status page', key, input.slug ?? '']),
    ...file.maintenance.map(({ key, input }) => ['maintenance', key, input.name]),
  ]
  const history = historyOf(file)
  const blocks = [
    `${importSources[source]}, as the project ${project.id}\n`,
    table(header, rows),
    ...(others.length === 0 ? [] : [table(['ALSO', 'KEY', ''], others)]),
    notesText('Works differently in Perigee', notesWith(file.notes, 'changed')),
    notesText('Cannot be imported', notesWith(file.notes, 'lost')),
    ...(history === null ? [] : [`${history}\n`]),
    `${summaryOf(report)}\n`,
  ]
  return blocks.filter((block) => block !== '').join('\n')
}

function shortened(text: string): string {
  return text.length > longestTarget ? `${text.slice(0, longestTarget - 1)}…` : text
}

const longestError = 100

function trialText(trial: Trial | undefined, isCalled: boolean): string {
  switch (trial?.type) {
    case 'checked': {
      const { status, error } = trial
      return error === null ? status : `${status}: ${error.slice(0, longestError)}`
    }
    case 'untried':
      return `not tried: ${trial.why.slice(0, longestError)}`
    case 'paused':
      return 'paused'
    case 'passive':
      return isCalled ? 'keeps its address' : ''
    case undefined:
      return ''
  }
}

function notesWith(notes: readonly ImportNote[], effect: ImportNote['effect']): readonly ImportNote[] {
  return notes.filter((note) => note.effect === effect)
}

function notesText(title: string, notes: readonly ImportNote[]): string {
  if (notes.length === 0) return ''
  const lines = notes.map(({ place, message }) => `  ${printable(place)}: ${printable(message)}\n`)
  return `${title}:\n${lines.join('')}`
}

/** The file of a project cannot say it. */
function historyOf({ monitors }: SettledImport['file']): string | null {
  const withHistory = monitors.filter(({ history }) => history.length > 0)
  if (withHistory.length === 0) return null
  const days = withHistory.reduce((sum, { history }) => sum + history.length, 0)
  return `The history of ${counted(withHistory.length, 'monitor')} can be brought with --apply: ${counted(days, 'day')}.`
}

function summaryOf({ settled: { file, calls }, trials }: ImportReport): string {
  const arriving = [
    counted(file.monitors.length, 'monitor'),
    counted(file.contacts.length, 'contact'),
    counted(file.pages.length, 'status page'),
    counted(file.maintenance.length, 'maintenance window'),
  ]
  const tried = [...(trials?.values() ?? [])].filter(({ type }) => type === 'checked' || type === 'untried')
  return [
    `${arriving.join(', ')}.`,
    `${notesWith(file.notes, 'changed').length} changed, ${notesWith(file.notes, 'lost').length} not imported.`,
    ...(calls.length === 0 ? [] : [`${counted(calls.length, 'address', 'es')} of jobs can stay the same.`]),
    ...(tried.length === 0
      ? []
      : [`${tried.filter(isFailed).length} of ${counted(tried.length, 'check')} fail from here.`]),
  ].join(' ')
}

function counted(count: number, word: string, ending = 's'): string {
  return `${count} ${word}${count === 1 ? '' : ending}`
}

/** The same for programs, without secrets. */
export function reportJson({ source, settled, trials }: ImportReport): Record<string, unknown> {
  const { file, project, calls, secrets } = settled
  const { monitors, ...others } = arrivalsOf(file, calls)
  return {
    source,
    project: project.id,
    monitors: monitors.map((monitor) => Object.assign(monitor, { from_here: trialJson(trials?.get(monitor.key)) })),
    ...others,
    variables: [...secrets.keys()],
  }
}

function trialJson(trial: Trial | undefined): Record<string, unknown> | null {
  if (trial === undefined || trial.type === 'passive' || trial.type === 'paused') return null
  if (trial.type === 'untried') return { status: null, error: trial.why, latency_ms: null }
  const { status, error, latencyMs } = trial
  return { status, error, latency_ms: latencyMs }
}

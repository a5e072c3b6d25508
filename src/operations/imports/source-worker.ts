// The code of the thread of source-thread.ts: reads the files of a source, and makes of them what the service takes.
import { daysBefore } from '#core/imports/history-days.ts'
import { arrivalsOf } from '#core/imports/import-report.ts'
import { guessSource } from '#core/imports/import-source.ts'
import { ImportError, type ImportedFile, type ImportNote } from '#core/imports/imported.ts'
import { withShortestInterval } from '#core/imports/shortest-interval.ts'
import { dayOf } from '#core/language/utc-day.ts'
import { inOrder } from '#core/projects/order.ts'
import { ProjectError } from '#core/projects/project-error.ts'
import { namedIn } from '#core/projects/references.ts'
import type { ImportedDaysInput } from '#core/results/imported-days.ts'
import { answerLater } from '#threads/answering.ts'
import { type SettledImport, settleImport } from './import-project.ts'
import { readSource } from './read-source.ts'
import { readSourceFile } from './source-files.ts'
import type { SourceAnswer, SourceQuestion } from './source-thread.ts'
import { stepContents } from './step-content.ts'

answerLater(read)

async function read(question: SourceQuestion): Promise<SourceAnswer> {
  const { files: stored, source: named, project, hidesSecrets, now, variables, pingKey, temporary } = question
  try {
    const files = stored.map((file) => readSourceFile(file, question.maxTextBytes))
    const source = named ?? guessSource(files)
    if (source === null) return { type: 'unknown' }
    const variable = (name: string): string | null => variables.get(name) ?? null
    const held = await readSource(source, files, { now, variable, pingKey, temporary })
    const file = withShortestInterval(held, question.shortestIntervalSeconds ?? 1)
    const { settled, days } = withHistory(settleImport(file, { project: project ?? source, hidesSecrets }), question)
    const contents = question.wants === 'contents' ? stepContents(settled, days) : new Map<string, string>()
    const arrivals = arrivalsOf(settled.file, settled.calls)
    const { findReference, ...rest } = settled.project
    const entries = inOrder(rest.entries, findReference)
    const references = namedIn(
      entries.map(({ fields }) => fields),
      findReference,
    )
    const light = question.wants === 'whole' ? settled : { ...settled, file: withoutDays(settled.file), texts: [] }
    return {
      type: 'read',
      source,
      arrivals,
      contents,
      settled: { ...light, project: { ...rest, entries, references } },
    }
  } catch (error) {
    if (error instanceof ImportError || error instanceof ProjectError)
      return { type: 'refused', problem: error.message }
    throw error
  }
}

/** Of all monitors together. */
const maxDays = 500_000

/** Monitors whose days are too much to be kept for a while have none, and it is noted. */
function withHistory(
  settled: SettledImport,
  { wants, now }: SourceQuestion,
): { settled: SettledImport; days: Map<string, ImportedDaysInput['days']> } {
  const days = new Map<string, ImportedDaysInput['days']>()
  if (wants === 'whole') return { settled, days }
  const notes: ImportNote[] = []
  const today = dayOf(now)
  let room = maxDays
  const monitors = settled.file.monitors.map((monitor) => {
    const counted = daysBefore(today, monitor.history)
    if (counted.length === 0) return { ...monitor, history: [] }
    room -= counted.length
    if (room < 0) {
      const message = 'The file has more history than fits here. Use "perigee import" to bring it.'
      notes.push({ place: monitor.place, effect: 'lost', message })
      return { ...monitor, history: [] }
    }
    days.set(monitor.key, counted)
    return monitor
  })
  const file = { ...settled.file, monitors, notes: [...settled.file.notes, ...notes] }
  return { settled: { ...settled, file }, days }
}

function withoutDays(file: ImportedFile): ImportedFile {
  return { ...file, monitors: file.monitors.map((monitor) => ({ ...monitor, history: [] })) }
}

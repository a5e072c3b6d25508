import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Arrivals } from '#core/imports/import-report.ts'
import type { ImportSource } from '#core/imports/import-source.ts'
import { ImportError } from '#core/imports/imported.ts'
import type { Project } from '#core/projects/project.ts'
import type { Reference } from '#core/projects/references.ts'
import { type Asked, askOnce, type ThreadLimits } from '#threads/thread.ts'
import type { SettledImport } from './import-project.ts'
import type { StoredFile } from './source-files.ts'

/** What is to be read, and how. */
export type SourceReading = {
  files: readonly StoredFile[]
  /** Null: the files tell. */
  source: ImportSource | null
  /** The id of the project; null: the name of the source. */
  project: string | null
  hidesSecrets: boolean
  now: Date
  /** Gatus reads its configuration with the variables of the environment. */
  variables: ReadonlyMap<string, string>
  /** The ping key of a project of Healthchecks. */
  pingKey: string | null
  /** What the plan of a workspace allows. Absent: any. */
  shortestIntervalSeconds?: number
  /** Of a file of text. Absent: what the readers take. */
  maxTextBytes?: number
  /**
   * What is handed over: all of the import, with its history, to a process that does nothing else; for others the report,
   * and with `contents` what each step is to make as a text, since all of it takes long to hand over.
   */
  wants: 'whole' | 'report' | 'contents'
}

export type SourceQuestion = SourceReading & { temporary: string }

/** Threads exchange no functions. */
type PlainProject = Omit<Project, 'findReference'> & { references: ReadonlyMap<string, Reference> }
type PlainImport = Omit<SettledImport, 'project'> & { project: PlainProject }

export type SourceAnswer =
  | ({ type: 'read'; settled: PlainImport } & Read)
  /** None was named, and the files do not tell. */
  | { type: 'unknown' }
  | { type: 'refused'; problem: string }

type Read = {
  source: ImportSource
  arrivals: Arrivals
  /** What each step is to make, by its label. */
  contents: ReadonlyMap<string, string>
}

export type AskSource = (question: SourceQuestion) => Promise<Asked<SourceAnswer>>

export type ReadImport = Read & { settled: SettledImport }

export const sourceCode = new URL('./source-worker.ts', import.meta.url)
/** Of a command, whose owner can end it: a database of 16 GiB is copied first. */
const usualLimits: ThreadLimits = { timeoutMs: 30 * 60_000, maxHeapMb: 4_096 }

/**
 * Reads the files of a source in a thread of its own; null where no source was named and the files do not tell. What it
 * wrote beside them is gone afterwards, however the thread ended. Throws ImportError.
 */
export function readInThread(reading: SourceReading, limits = usualLimits): Promise<ReadImport | null> {
  return readBy((question) => askOnce<SourceAnswer>(sourceCode, question, limits), reading)
}

/** The same in the thread that `ask` asks, which runs `sourceCode`. */
export async function readBy(ask: AskSource, reading: SourceReading): Promise<ReadImport | null> {
  const temporary = await mkdtemp(join(tmpdir(), `perigee-import-${process.pid}-`))
  try {
    const asked = await ask({ ...reading, temporary })
    if (asked.type === 'given up')
      throw new ImportError(asked.why === 'memory' ? 'It takes too much memory to read.' : 'It takes too long to read.')
    return importOf(asked.answer)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

function importOf(answer: SourceAnswer): ReadImport | null {
  if (answer.type === 'unknown') return null
  if (answer.type === 'refused') throw new ImportError(answer.problem)
  const { type: _, settled, ...read } = answer
  const { references, ...project } = settled.project
  const findReference = (id: string): Reference | null => references.get(id) ?? null
  return { ...read, settled: { ...settled, project: { ...project, findReference } } }
}

import type { SettledImport } from '#operations/imports/import-project.ts'
import type { ReadImport } from '#operations/imports/source-thread.ts'
import { StartError } from '#store/database/start-error.ts'
import { applyProject } from '#cli/projects/apply-project.ts'
import { lineOf, openSecrets, summaryOf, unkeptText } from '#cli/projects/apply.ts'
import { askExport } from '#cli/projects/export.ts'
import type { Terminal } from '#cli/terminal.ts'
import { finishImport } from './finish-import.ts'
import type { ApplyOrder } from './import-arguments.ts'
import { type Made, ownedBy, readRecord, writeRecord } from './import-record.ts'

const notAll = 2

/**
 * Makes what arrives, with its jobs and its history, and notes what was made. Ended at any moment and begun again it goes on: the
 * record says from the beginning what was there before.
 */
export async function applyImport(read: ReadImport, order: ApplyOrder, terminal: Terminal): Promise<number> {
  const { project } = read.settled
  const { service } = order
  const path = order.record ?? `${project.id}.import.json`
  const record = readRecord(path) ?? {
    perigee_import: 1,
    project: project.id,
    before: ownedBy(project.id, await askExport(service)).map(({ id }) => id),
    made: null,
  }
  if (record.project !== project.id)
    throw new StartError(`${path} is the record of another project, ${record.project}.`)
  writeRecord(path, record)
  const hasFailed = await makeAll(read.settled, order, terminal)
  const before = new Set(record.before)
  const made = ownedBy(project.id, await askExport(service)).filter(({ id }) => !before.has(id))
  writeRecord(path, { ...record, made: notedOf(record.made ?? [], made) })
  terminal.out.write(`${path} records what was created. To undo the import: perigee import --undo ${path}\n`)
  const finished = await finishImport(read, service, terminal)
  return hasFailed ? notAll : finished
}

/** What an earlier run noted stays as it was then, so that what was changed since is seen as changed. */
function notedOf(noted: Made, made: Made): Made {
  const earlier = new Map(noted.map((entry) => [entry.id, entry]))
  return made.map((entry) => earlier.get(entry.id) ?? entry)
}

/** Whether something could not be made. */
async function makeAll(
  { project }: SettledImport,
  { service, makesNamesakes, payUpToCents, secrets }: ApplyOrder,
  { out, err }: Terminal,
): Promise<boolean> {
  const file = secrets === null ? null : openSecrets(secrets)
  const unkept: string[] = []
  const applied = await applyProject(service, project, {
    adopts: false,
    makesNamesakes,
    payUpToCents,
    // The dry run has tried them, from here.
    tries: 'none',
    prune: 'none',
    report: (event) => void out.write(lineOf(event)),
    keepSecret: (label, name, value) => {
      if (file === null) unkept.push(`${label} (${name})`)
      else file.add(`${label}.${name}=${value}\n`)
    },
  }).finally(() => file?.close())
  out.write(`${summaryOf(applied)}\n`)
  if (unkept.length > 0) err.write(unkeptText(unkept))
  return applied.events.some(({ type }) => type === 'failed')
}

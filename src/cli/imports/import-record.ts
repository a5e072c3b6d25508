// What an import made, kept in a file beside the one that was read, so that it can be taken back as one.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { sections } from '#core/projects/entries.ts'
import type { WorkspaceExport } from '#core/projects/export-record.ts'
import { presentEntries } from '#core/projects/present.ts'
import { StartError } from '#store/database/start-error.ts'

const madeSchema = z.object({
  section: z.enum(sections),
  key: z.string(),
  id: z.string(),
  name: z.string(),
  fields: z.record(z.string(), z.unknown()),
  secrets: z.array(z.array(z.string())),
})

const recordSchema = z.object({
  perigee_import: z.literal(1),
  project: z.string(),
  /** The ids of what the project had before: none of them was made by the import. */
  before: z.array(z.string()),
  /** As it was when the import had been applied; null until then. */
  made: z.array(madeSchema).nullable(),
})
export type ImportRecord = z.infer<typeof recordSchema>

export type Made = NonNullable<ImportRecord['made']>

/** Null where there is no file. Throws StartError for a file that is another thing. */
export function readRecord(path: string): ImportRecord | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
  const record = recordSchema.safeParse(jsonOf(text))
  if (!record.success) throw new StartError(`${path} is not the record of an import.`)
  return record.data
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whole or not at all. It says where the workspace is watched, so it is for its owner alone. */
export function writeRecord(path: string, record: ImportRecord): void {
  try {
    const beside = `${path}.new`
    writeFileSync(beside, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
    renameSync(beside, path)
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
}

/** What a project has in a workspace, the oldest of each section first. */
export function ownedBy(project: string, workspace: WorkspaceExport): Made {
  const owned = presentEntries(workspace, project).filter((entry) => entry.project === project)
  return owned.map(({ section, key, id, name, fields, secrets }) => {
    return { section, key, id, name, fields, secrets: secrets.map((path) => [...path]) }
  })
}

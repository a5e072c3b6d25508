import type { ImportRecord } from '#core/imports/import-record.ts'
import type { ImportReport } from '#core/imports/import-report.ts'
import type { ImportSource } from '#core/imports/import-source.ts'
import type { TrialRecord } from '#core/monitors/trial.ts'
import { ask } from './ask.ts'
import { api } from './console.ts'

export type { ImportRecord, ImportReport, ImportSource, TrialRecord }

export type ListedImport = Omit<ImportRecord, 'told'>

/** A file as it was chosen, and what it does not say itself. */
export type ChosenFile = { file: File; source: string; pingKey: string }

/** Requests about what a workspace brings along from other tools. */
export type ImportsApi = {
  /** The newest first. */
  list: () => Promise<ListedImport[]>
  get: (id: string) => Promise<ImportRecord>
  /** What would arrive; nothing is kept. */
  read: (chosen: ChosenFile) => Promise<ImportReport>
  start: (chosen: ChosenFile) => Promise<ImportRecord>
  /** Makes some of it; `again` tries what was refused. */
  goOn: (id: string, again: boolean) => Promise<ImportRecord>
  /** Takes some of it back. */
  undo: (id: string) => Promise<ImportRecord>
  /** Checks once what a monitor would check. */
  tryCheck: (input: unknown) => Promise<TrialRecord>
}

/** The slowest checks take two minutes. */
const trialDeadlineMs = 150_000

export function importsApi(workspaceId: string): ImportsApi {
  const { get, list, post, upload } = api(workspaceId)
  return {
    list: () => list('/imports'),
    get: (id) => get(`/imports/${id}`),
    read: (chosen) => upload(`/imports/read?${queryOf(chosen)}`, chosen.file),
    start: (chosen) => upload(`/imports?${queryOf(chosen)}`, chosen.file),
    goOn: (id, again) => post(`/imports/${id}/continue`, { again }),
    undo: (id) => post(`/imports/${id}/undo`, undefined),
    tryCheck: async (body) => {
      const headers = { 'X-Perigee-Workspace': workspaceId }
      const path = '/api/v1/monitors/try'
      const { data } = await ask<{ data: TrialRecord }>(path, {
        method: 'POST',
        body,
        headers,
        deadlineMs: trialDeadlineMs,
      })
      return data
    },
  }
}

function queryOf({ file, source, pingKey }: ChosenFile): string {
  return new URLSearchParams({
    file_name: file.name,
    ...(source === '' ? {} : { source }),
    ...(pingKey === '' ? {} : { ping_key: pingKey }),
  }).toString()
}

// Uptime Kuma: the tables of its database, which store/imports/kuma-database.ts reads from its file, and the backups as JSON of
// its releases 1.x, which hold monitors, notifications and proxies.
import { z } from 'zod'
import { createFindings } from '#core/imports/findings.ts'
import { listOf } from '#core/language/foreign-lists.ts'
import { flag, parseImportJson, readAs, textOrNull } from '#core/imports/import-json.ts'
import { ImportError, type ImportedFile, importLimits } from '#core/imports/imported.ts'
import { readKumaContacts } from './kuma-contacts.ts'
import { readKumaMaintenance } from './kuma-maintenance.ts'
import { readKumaMonitors } from './kuma-monitors.ts'
import { readKumaPages } from './kuma-pages.ts'
import { type RawTables, readKumaTables, wholeNumber } from './kuma-rows.ts'

export function readKuma(raw: RawTables, now: Date): ImportedFile {
  const tables = readKumaTables(raw)
  const findings = createFindings()
  const contactKeys = readKumaContacts(tables, findings)
  const keys = readKumaMonitors(tables, contactKeys, findings)
  readKumaPages(tables, keys, findings)
  readKumaMaintenance(tables, keys, { findings, now })
  return findings.file()
}

const backupSchema = z.object({
  version: textOrNull,
  monitorList: listOf(
    z.looseObject({
      id: wholeNumber,
      notificationIDList: z.record(z.string().regex(/^\d{1,9}$/), z.unknown()).nullish(),
      tags: listOf(z.object({ tag_id: wholeNumber, name: textOrNull, value: textOrNull }), 1_000).nullish(),
    }),
    importLimits.monitors,
  ),
  notificationList: listOf(
    z.object({ id: wholeNumber, name: textOrNull, active: flag, config: textOrNull }),
    importLimits.contacts,
  ),
  proxyList: z.unknown().optional(),
})

/** Names that are not those of the columns with other letters. */
const renamed: Readonly<Record<string, string>> = { accepted_statuscodes: 'accepted_statuscodes_json' }

export function readKumaBackup(content: string, now: Date): ImportedFile {
  const value = parseImportJson(content)
  if (typeof value !== 'object' || value === null || !('monitorList' in value))
    throw new ImportError('The file has no monitorList, so it is not an Uptime Kuma backup.')
  const { monitorList, notificationList, proxyList } = readAs(value, backupSchema)
  const links = monitorList.flatMap(({ id: monitorId, tags }) =>
    (tags ?? []).map(({ tag_id: tagId, name, value: worth }) => ({
      monitor_id: monitorId,
      tag_id: tagId,
      name,
      value: worth,
    })),
  )
  return readKuma(
    {
      monitor: monitorList.map(rowOf),
      proxy: proxyList ?? [],
      notification: notificationList,
      monitor_notification: monitorList.flatMap(({ id, notificationIDList: chosen }) =>
        Object.entries(chosen ?? {}).flatMap(([notificationId, isChosen]) =>
          isChosen === true ? [{ monitor_id: id, notification_id: Number(notificationId) }] : [],
        ),
      ),
      tag: [...new Map(links.map(({ tag_id: id, name }) => [id, { id, name }])).values()],
      monitor_tag: links,
    },
    now,
  )
}

/** The members of a monitor under the names of the columns. What is no scalar there is JSON in its column. */
function rowOf(monitor: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(monitor).map(([name, value]) => [
      renamed[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  )
}

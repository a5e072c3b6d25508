import { isSameJson } from '#core/language/json-path.ts'
import { labelOf } from '#core/projects/order.ts'
import { type PresentEntry, presentEntries } from '#core/projects/present.ts'
import { removalOf } from '#core/projects/requests.ts'
import { StartError } from '#store/database/start-error.ts'
import { askExport } from '#cli/projects/export.ts'
import { pacedService } from '#cli/projects/paced-service.ts'
import type { Service } from '#cli/service.ts'
import { printable } from '#cli/table.ts'
import type { Terminal } from '#cli/terminal.ts'
import { type ImportRecord, readRecord } from './import-record.ts'

const notAll = 2

/** Removes what an import made, the newest first, but what was changed since then: that is kept, and named. */
export async function undoImport(
  { record: path, service }: { record: string; service: Service },
  { out }: Terminal,
): Promise<number> {
  const record = readRecord(path)
  if (record === null) throw new StartError(`There is no file ${path}.`)
  if (record.made === null)
    throw new StartError(
      'The import is not complete. Apply it again first, so that everything it created is on record.',
    )
  const found = presentOf(await askExport(service), record)
  const kept = found.filter(({ changed }) => changed.length > 0)
  const paced = pacedService(service, (seconds) => void out.write(`  waiting ${seconds} s\n`))
  let failures = 0
  for (const { entry } of found.filter(({ changed }) => changed.length === 0).toReversed()) {
    const outcome = await paced.ask(removalOf(entry))
    const isGone = outcome.type === 'done' || (outcome.type === 'refused' && outcome.status === 404)
    if (!isGone) failures += 1
    out.write(isGone ? `- ${labelOf(entry)}\n` : `! ${labelOf(entry)}: ${printable(outcome.problem)}\n`)
  }
  for (const { entry, changed } of kept)
    out.write(`  ${labelOf(entry)} was kept, because it was changed since: ${changed.map(printable).join(', ')}.\n`)
  out.write(`${record.project}: ${found.length - kept.length - failures} removed, ${kept.length + failures} kept.\n`)
  return kept.length + failures === 0 ? 0 : notAll
}

type Found = { entry: PresentEntry; changed: readonly string[] }

/** What is still there of what was made, with the names of the fields that are not as they were. */
function presentOf(workspace: Awaited<ReturnType<typeof askExport>>, { project, made }: ImportRecord): Found[] {
  const before = new Map((made ?? []).map((entry) => [entry.id, entry]))
  return presentEntries(workspace, project).flatMap((entry) => {
    const noted = before.get(entry.id)
    if (noted === undefined) return []
    const names = [...new Set([...Object.keys(noted.fields), ...Object.keys(entry.fields)])]
    const changed = names.filter((name) => !isSameJson(noted.fields[name] ?? null, entry.fields[name] ?? null))
    const areSecretsSame = isSameJson(noted.secrets, entry.secrets)
    return [{ entry, changed: areSecretsSame ? changed : [...changed, 'secrets'] }]
  })
}

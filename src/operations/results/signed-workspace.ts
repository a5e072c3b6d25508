import { setImmediate as afterOthers } from 'node:timers/promises'
import { z } from 'zod'
import { invalidFields } from '#core/language/error.ts'
import { type SignedHead, lineOf, workspaceFormat } from '#core/proofs/signed-history.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import {
  type DayRange,
  countWorkspaceLines,
  listSignedHeads,
  readSignedRange,
  readWorkspaceDay,
} from '#store/results/signed-exports.ts'
import { signingKeys } from '#store/installation/signing-keys.ts'
import { maxProvedDays, rangeOf, rangeQuery, usualDays } from './signed-history.ts'

/** A line of an hour has 400 bytes and one of a monitor 160, so an answer has some 30 MB at most. */
const maxHours = 40_000
const maxMonitorDays = 100_000

const exportWorkspace = defineOperation({
  name: 'export_signed_workspace',
  method: 'GET',
  path: '/export/signed-history',
  scope: 'read',
  surface: 'programs',
  tag: 'Results and incidents',
  summary: 'Export the signed history of all monitors, to be verified with `perigee verify`',
  description:
    `Lines of JSON: for each UTC day all monitors of the workspace that are signed, so that none can be left out, and ` +
    `their hours with the counts. At most ${maxProvedDays} days, ${maxHours} hours of monitors and locations, and ` +
    `${maxMonitorDays} days of monitors; without \`from\` the last ${usualDays} days that are signed. With ` +
    `\`hours=none\` it has the roots of monitors alone, however many hours there are.`,
  query: {
    schema: rangeQuery.extend({
      hours: z.enum(['all', 'none']).default('all').describe('Whether the lines of hours are in the export.'),
    }),
  },
  errors: [401, 422],
  success: {
    status: 200,
    description: 'The export.',
    texts: [{ type: 'application/jsonl', version: '1', write: (body) => z.string().parse(body) }],
  },
  run: async ({ services, caller: { workspaceId: workspace } }, { query }) => {
    const { database } = services
    const hours = query.hours === 'all'
    const signed = await readSignedRange(database)
    const range = signed === null ? null : rangeOf(query, { signed, max: maxProvedDays })
    if (range !== null) await assertFewLines(services, { workspace, range, hours })
    const heads = range === null ? [] : await listSignedHeads(database, range)
    const keys = await signingKeys(database, services.secrets).publicKeys()
    const installation = keys.at(-1)?.kid ?? ''
    const parts = [lineOf({ format: workspaceFormat, installation, keys, workspace }), '\n']
    for (const head of heads) parts.push(await textOfDay(services, { head, workspace, hours }))
    parts.push(lineOf({ days: heads.length }), '\n')
    return { status: 200, body: parts.join('') }
  },
})

async function assertFewLines(
  { database }: Pick<Services, 'database'>,
  asked: { workspace: string; range: DayRange; hours: boolean },
): Promise<void> {
  const { hours, monitors } = await countWorkspaceLines(database, asked)
  if (monitors > maxMonitorDays)
    throw invalidFields({
      from: [
        `These days have ${monitors} days of monitors, and an export at most ${maxMonitorDays}: ask for fewer days.`,
      ],
    })
  if (asked.hours && hours > maxHours)
    throw invalidFields({
      from: [
        `These days have ${hours} hours, and an export at most ${maxHours}: ask for fewer days, or for hours=none.`,
      ],
    })
}

/** The hashes of a large tree take some milliseconds, between which others have their turn. */
async function textOfDay(
  { database }: Pick<Services, 'database'>,
  { head, workspace, hours }: { head: SignedHead; workspace: string; hours: boolean },
): Promise<string> {
  const { place, monitors } = await readWorkspaceDay(database, { day: head.head.day, workspace, hours })
  await afterOthers()
  const lines = [lineOf({ ...head, monitors: monitors.length, workspace: place })]
  for (const { lines: ofHours, ...monitor } of monitors)
    lines.push(lineOf({ ...monitor, hours: ofHours.length }), ...ofHours)
  return lines.map((line) => `${line}\n`).join('')
}

export const signedWorkspaceOperations = [exportWorkspace]

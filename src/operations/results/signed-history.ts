import { setImmediate as afterOthers } from 'node:timers/promises'
import { z } from 'zod'
import { invalidFields } from '#core/language/error.ts'
import { addDays, countDays } from '#core/language/utc-day.ts'
import { countersignatureSchema } from '#core/proofs/countersign.ts'
import {
  type ExportDay,
  hashSchema,
  headHash,
  historyFormat,
  lineOf,
  signedHeadSchema,
} from '#core/proofs/signed-history.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { findMonitorReportBounds } from '#operations/monitors/monitor-surroundings.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { type DayRange, listSignedHeads, readProvedDay, readSignedRange } from '#store/results/signed-exports.ts'
import { listCountersignatures } from '#store/results/countersignatures.ts'
import { signingKeys } from '#store/installation/signing-keys.ts'

const maxHeads = 400
export const maxProvedDays = 31
export const usualDays = 7

export const rangeQuery = z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() })
type RangeQuery = z.infer<typeof rangeQuery>

const listHeads = defineOperation({
  name: 'list_history_roots',
  method: 'GET',
  path: '/history/roots',
  scope: 'read',
  surface: 'programs',
  tag: 'Results and incidents',
  summary: 'List the signed roots of the history of this installation, oldest first',
  description:
    `One for each UTC day, at most ${maxHeads}; without \`from\` the last ${usualDays}. A day is signed some two hours ` +
    `after its end. Keep them elsewhere: what an export proves is that nothing was changed since its root left the operator.`,
  query: { schema: rangeQuery },
  errors: [401, 422],
  success: {
    status: 200,
    description: 'The roots.',
    schema: z.strictObject({
      data: z.array(
        signedHeadSchema.extend({
          hash: hashSchema.describe('Of `head`; what the next day has as `previous`.'),
          countersignatures: z
            .array(countersignatureSchema.extend({ at: z.iso.datetime().describe('When it was received.') }))
            .describe('What locations of other operators signed of `head`, by keys of their own.'),
        }),
      ),
      since: z.iso.date().nullable().describe('The first day that is signed; null before there is one.'),
    }),
  },
  run: async ({ services }, { query }) => {
    const signed = await readSignedRange(services.database)
    if (signed === null) return { status: 200, body: { data: [], since: null } }
    const heads = await listSignedHeads(services.database, rangeOf(query, { signed, max: maxHeads }))
    const range = { from: heads[0]?.head.day ?? signed.from, to: heads.at(-1)?.head.day ?? signed.from }
    const ofDays = Map.groupBy(await listCountersignatures(services.database, range), ({ day }) => day)
    const data = heads.map(({ head, key_id, signature }) => ({
      head,
      key_id,
      signature,
      hash: headHash(head),
      countersignatures: (ofDays.get(head.day) ?? []).map(({ key, location, signature: of, at }) => {
        return { key, location, signature: of, at: at.toISOString() }
      }),
    }))
    return { status: 200, body: { data, since: signed.from } }
  },
})

const exportHistory = defineOperation({
  name: 'export_signed_history',
  method: 'GET',
  path: '/monitors/{id}/signed-history',
  scope: 'read',
  surface: 'programs',
  tag: 'Results and incidents',
  summary: 'Export the signed history of a monitor, to be verified with `perigee verify`',
  description:
    `Lines of JSON: the hours of the monitor with their counts, and how they lead to the signed root of each UTC day. At ` +
    `most ${maxProvedDays} days; without \`from\` the last ${usualDays} that are signed. It names no other monitor. It ` +
    `is empty where none of the days is signed.`,
  query: { schema: rangeQuery },
  errors: [401, 404, 422],
  success: {
    status: 200,
    description: 'The export.',
    texts: [{ type: 'application/jsonl', version: '1', write: (body) => z.string().parse(body) }],
  },
  find: findMonitorReportBounds,
  run: async ({ services }, { path, target: { monitorKey }, query }) => {
    const signed = await readSignedRange(services.database)
    const heads =
      signed === null ? [] : await listSignedHeads(services.database, rangeOf(query, { signed, max: maxProvedDays }))
    const keys = await signingKeys(services.database, services.secrets).publicKeys()
    const installation = keys.at(-1)?.kid ?? ''
    const lines = [lineOf({ format: historyFormat, installation, keys, monitor: path['id'] ?? '' })]
    for (const head of heads) lines.push(...(await linesOf(services, { signed: head, monitorKey })))
    lines.push(lineOf({ days: heads.length }))
    return { status: 200, body: lines.map((line) => `${line}\n`).join('') }
  },
})

type Signed = Pick<ExportDay, 'head' | 'key_id' | 'signature'>

/** The hashes of a large tree take some milliseconds, between which others have their turn. */
async function linesOf(
  { database }: Pick<Services, 'database'>,
  named: { signed: Signed; monitorKey: string },
): Promise<string[]> {
  const { day, lines } = await readProvedDay(database, named)
  await afterOthers()
  return [lineOf(day), ...lines]
}

export function rangeOf({ from, to }: RangeQuery, { signed, max }: { signed: DayRange; max: number }): DayRange {
  const last = to ?? signed.to
  const range = { from: from ?? addDays(last, 1 - usualDays), to: last }
  if (range.from > range.to) throw invalidFields({ from: ['Must not be after `to`.'] })
  if (countDays(range.from, range.to) > max)
    throw invalidFields({ from: [`Must be at most ${max} days before \`to\`.`] })
  return range
}

export const signedHistoryOperations = [listHeads, exportHistory]

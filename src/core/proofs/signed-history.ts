// What is signed of the past, byte by byte (docs/design/signed-history.md). Everything that is hashed is a line of
// canonical JSON (RFC 8785), so that there is one text for one meaning.
import { z } from 'zod'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { leafHash, rootOf } from './merkle-tree.ts'
import { sha256 } from './sha-256.ts'
import { publicSigningKeySchema } from './signature.ts'

export const historyFormat = 'perigee-signed-history-1'
export const workspaceFormat = 'perigee-signed-workspace-1'

const hex = (bytes: number): z.ZodString => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
export const hashSchema = hex(32)
const count = z.int().min(0)
const pathSchema = z.array(hashSchema).max(64)

/**
 * The checks of one monitor by one location in one UTC hour. `checks` are those outside of maintenance, and the sum of
 * `up`, `degraded` and `down`; latencies are of them too, in milliseconds. `rounds` is the hash of the single results.
 * A `late` leaf has what was stored after the first one was made; its `rounds` is the hash of all results of the hour.
 */
export const hourLeafSchema = z.strictObject({
  checks: count,
  degraded: count,
  down: count,
  hour: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:00:00Z$/),
  in_maintenance: count,
  latency_count: count,
  latency_sum_ms: count,
  location: z.string(),
  monitor: z.uuid(),
  part: z.enum(['first', 'late']),
  rounds: hashSchema,
  up: count,
})

export type HourLeaf = z.infer<typeof hourLeafSchema>

/** A monitor's day: the leaf of its workspace's tree, whose own leaves are hours. */
export type MonitorDay = { monitor: string; root: string; size: number }

/** A workspace's day: the leaf of the installation's tree. */
export type WorkspaceDay = { workspace: string; root: string; size: number }

/**
 * A day of the whole installation, which is what is signed. `previous` is the hash of the head of the day before, null
 * for the first; `installation` is the id of the first key.
 */
export const dayHeadSchema = z.strictObject({
  day: z.iso.date(),
  installation: z.string(),
  previous: hashSchema.nullable(),
  root: hashSchema,
  size: count,
})

export type DayHead = z.infer<typeof dayHeadSchema>

export const signedHeadSchema = z.strictObject({
  head: dayHeadSchema,
  key_id: z.string(),
  signature: hex(64),
})

export type SignedHead = z.infer<typeof signedHeadSchema>

/** The first line of an export. */
export const exportStartSchema = z.strictObject({
  format: z.literal(historyFormat),
  installation: z.string(),
  keys: z.array(publicSigningKeySchema).min(1).max(1000),
  monitor: z.uuid(),
})

/**
 * A day of an export, before the lines of its hours. `monitor` is null on days without a check. `hours` is 0 also where
 * the hours are not kept any more, and then only the root of the monitor's day is proved.
 */
export const exportDaySchema = signedHeadSchema.extend({
  hours: count,
  monitor: z.strictObject({ index: count, path: pathSchema, root: hashSchema, size: count }).nullable(),
  workspace: z.strictObject({ id: z.uuid(), index: count, path: pathSchema, size: count }).nullable(),
})

export type ExportDay = z.infer<typeof exportDaySchema>

/** The first line of the export of a workspace. */
export const workspaceStartSchema = exportStartSchema
  .omit({ monitor: true })
  .extend({ format: z.literal(workspaceFormat), workspace: z.uuid() })

/**
 * A day of the export of a workspace, before the lines of its `monitors`, which are all leaves of its tree: one that is
 * left out changes the root. `workspace` is null, and `monitors` 0, where nothing of the workspace is signed.
 */
export const workspaceDaySchema = signedHeadSchema.extend({
  monitors: count,
  workspace: z.strictObject({ index: count, path: pathSchema }).nullable(),
})

export type ExportWorkspaceDay = z.infer<typeof workspaceDaySchema>

/** A monitor's day, before the lines of its `hours`: `size`, or 0 where the export is without them. */
export const monitorDaySchema = z.strictObject({ hours: count, monitor: z.uuid(), root: hashSchema, size: count })

/** The last line of an export. */
export const exportEndSchema = z.strictObject({ days: count })

/** A line of an export, without its end. The members are in the order of their names. */
export function lineOf(
  content:
    | HourLeaf
    | ExportDay
    | ExportWorkspaceDay
    | z.infer<
        typeof exportStartSchema | typeof workspaceStartSchema | typeof monitorDaySchema | typeof exportEndSchema
      >,
): string {
  return canonicalJson(content)
}

export function headText(head: DayHead): string {
  return canonicalJson(head)
}

/** What the next head names as `previous`. */
export function headHash(head: DayHead): string {
  return sha256(Buffer.from(headText(head))).toString('hex')
}

export function hourLeafHash(line: string): Buffer {
  return leafHash(Buffer.from(line))
}

/** Of the lines of a monitor's hours, in the order of hour, location and part. */
export function rootOfHours(lines: readonly string[]): string {
  return rootOf(lines.map(hourLeafHash)).toString('hex')
}

export function monitorLeafHash({ monitor, root, size }: MonitorDay): Buffer {
  return leafHash(Buffer.from(canonicalJson({ monitor, root, size })))
}

export function workspaceLeafHash({ workspace, root, size }: WorkspaceDay): Buffer {
  return leafHash(Buffer.from(canonicalJson({ workspace, root, size })))
}

/** Negative where the first leaf comes before the second one in its tree. */
export function compareHours(a: HourLeaf, b: HourLeaf): number {
  return compare(a.hour, b.hour) || compare(a.location, b.location) || compare(a.part, b.part)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

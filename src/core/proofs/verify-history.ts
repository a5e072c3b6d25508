import { z } from 'zod'
import { addDays } from '#core/language/utc-day.ts'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { rootByPath } from './merkle-tree.ts'
import { type PublicSigningKey, isSignedFor, publicSigningKey } from './signature.ts'
import {
  type DayHead,
  type ExportDay,
  type HourLeaf,
  type SignedHead,
  compareHours,
  exportDaySchema,
  exportEndSchema,
  exportStartSchema,
  headHash,
  headText,
  hourLeafSchema,
  monitorLeafHash,
  rootOfHours,
  workspaceLeafHash,
} from './signed-history.ts'

/** What an export proves of a day. Without `hours` only that there is a root, whose hours are not kept any more. */
export type VerifiedDay = {
  day: string
  /** The hash of the day's head, which the status pages of the installation show. */
  root: string
  checks: number
  up: number
  degraded: number
  down: number
  hours: number
  areHoursKept: boolean
}

export type VerifiedHistory = {
  installation: string
  monitor: string
  days: VerifiedDay[]
  /** How many of the given roots are of days of the export, and agree. */
  agreeingRoots: number
}

export type Verification = Verified<VerifiedHistory>

export type VerifyOptions = {
  /** The keys that count; where none are given, those of the export itself. */
  keys?: readonly PublicSigningKey[]
  /** Heads that were kept elsewhere: the export must not contradict them. */
  roots?: readonly DayHead[]
}

/** Checks every byte of an export, without anything but what is given. Says the first thing that is wrong, by its line. */
export function verifyHistory(text: string, options: VerifyOptions = {}): Verification {
  return verified(text, (reading) => readExport(reading, options))
}

export type Verified<History> = { ok: true; history: History } | { ok: false; line: number; problem: string }

export function verified<History>(text: string, read: (reading: Reading) => History): Verified<History> {
  const reading: Reading = { lines: text.split('\n'), at: 0 }
  try {
    return { ok: true, history: read(reading) }
  } catch (error) {
    if (error instanceof WrongLine) return { ok: false, line: reading.at, problem: error.message }
    throw error
  }
}

/** Of a signature over a head, by whichever of the keys it names. */
export function isSignedHead({ head, key_id, signature }: SignedHead, keys: readonly PublicSigningKey[]): boolean {
  const key = keys.find(({ kid }) => kid === key_id)
  if (key === undefined) return false
  const content = Buffer.from(headText(head))
  return isSignedFor('history-day', key, { content, signature: Buffer.from(signature, 'hex') })
}

export class WrongLine extends Error {}

/** `at` counts the lines that were taken. */
export type Reading = { lines: readonly string[]; at: number }

type Start = z.infer<typeof exportStartSchema>
type Signing = Pick<Start, 'installation' | 'keys'>

function readExport(reading: Reading, { keys, roots = [] }: VerifyOptions): VerifiedHistory {
  const start = takeLine(reading, exportStartSchema)
  assertOwnKeys(start)
  const trusted = keys ?? start.keys
  const days: VerifiedDay[] = []
  let agreeingRoots = 0
  let previous: DayHead | null = null
  while (isDay(reading)) {
    const day = takeLine(reading, exportDaySchema)
    assertFollows(day.head, previous)
    assertSigned(day, { start, trusted })
    if (agreesWithRoots(day.head, roots)) agreeingRoots += 1
    assertProved(day, start)
    days.push(readHours(reading, day, start))
    previous = day.head
  }
  assertEnd(reading, days.length)
  return { installation: start.installation, monitor: start.monitor, days, agreeingRoots }
}

export function assertEnd(reading: Reading, days: number): void {
  if (days === 0) throw new WrongLine('The export has no day.')
  const end = takeLine(reading, exportEndSchema)
  if (end.days !== days) throw new WrongLine(`The export ends after ${end.days} days, and has ${days}.`)
  if (reading.lines.length !== reading.at + 1 || reading.lines[reading.at] !== '')
    throw new WrongLine('Something follows the last line, or its end is missing.')
}

/** The next line has to be the one text that its content has. */
export function takeLine<Schema extends z.ZodType>(reading: Reading, schema: Schema): z.infer<Schema> {
  const line = reading.lines[reading.at]
  reading.at += 1
  if (line === undefined || line === '') throw new WrongLine('The export ends too early.')
  const parsed = schema.safeParse(parsedJson(line))
  if (!parsed.success) throw new WrongLine(`The line is not what has to stand here: ${firstProblem(parsed.error)}.`)
  if (canonicalJson(parsed.data) !== line) throw new WrongLine('The line is not in canonical form.')
  return parsed.data
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new WrongLine('The line is no JSON.')
  }
}

function firstProblem({ issues }: z.ZodError): string {
  const [issue] = issues
  return issue === undefined ? 'it is something else' : `${issue.path.join('.') || 'the line'}: ${issue.message}`
}

export function isDay({ lines, at }: Reading): boolean {
  return lines[at]?.startsWith('{"head":') === true
}

/** Each key is named by its hash, and the first one, which stands last, names the installation. */
export function assertOwnKeys({ keys, installation }: Signing): void {
  for (const key of keys)
    if (canonicalJson(publicSigningKey(key.x)) !== canonicalJson(key))
      throw new WrongLine(`The key ${key.kid} does not have this id.`)
  if (keys.at(-1)?.kid !== installation) throw new WrongLine('The installation is not named by its first key.')
}

export function assertFollows(head: DayHead, previous: DayHead | null): void {
  if (previous === null) return
  if (head.day !== addDays(previous.day, 1)) throw new WrongLine(`${head.day} does not follow ${previous.day}.`)
  if (head.previous !== headHash(previous)) throw new WrongLine(`${head.day} names another root for the day before.`)
}

export function assertSigned(
  day: SignedHead,
  { start, trusted }: { start: Pick<Signing, 'installation'>; trusted: readonly PublicSigningKey[] },
): void {
  const { head } = day
  if (head.installation !== start.installation) throw new WrongLine(`${head.day} is of another installation.`)
  if (!trusted.some(({ kid }) => kid === day.key_id)) throw new WrongLine(`The key ${day.key_id} is not known.`)
  if (!isSignedHead(day, trusted)) throw new WrongLine(`The signature of ${head.day} is wrong.`)
}

export function agreesWithRoots(head: DayHead, roots: readonly DayHead[]): boolean {
  const kept = roots.find(({ day }) => day === head.day)
  if (kept === undefined) return false
  if (headHash(kept) !== headHash(head)) throw new WrongLine(`${head.day} has another root than the one that was kept.`)
  return true
}

/** That the monitor's day is in the workspace's tree, and that tree in the one whose root is signed. */
function assertProved({ head, monitor, workspace, hours }: ExportDay, start: Start): void {
  if (monitor === null || workspace === null) {
    if (monitor !== null || workspace !== null || hours > 0) throw new WrongLine(`${head.day} is proved in part only.`)
    return
  }
  const { root, size } = monitor
  const monitorLeaf = monitorLeafHash({ monitor: start.monitor, root, size })
  const workspaceRoot = rootByPath(monitorLeaf, {
    index: monitor.index,
    size: workspace.size,
    path: monitor.path.map(toBytes),
  })
  const workspaceLeaf =
    workspaceRoot === null
      ? null
      : workspaceLeafHash({ workspace: workspace.id, root: workspaceRoot.toString('hex'), size: workspace.size })
  const proved =
    workspaceLeaf === null
      ? null
      : rootByPath(workspaceLeaf, { index: workspace.index, size: head.size, path: workspace.path.map(toBytes) })
  if (proved?.toString('hex') !== head.root)
    throw new WrongLine(`The signed root of ${head.day} does not contain this.`)
}

export function toBytes(hash: string): Buffer {
  return Buffer.from(hash, 'hex')
}

type HoursOfDay = Pick<ExportDay, 'head' | 'hours'> & { monitor: { root: string; size: number } | null }

export function readHours(
  reading: Reading,
  { head, hours, monitor }: HoursOfDay,
  start: Pick<Start, 'monitor'>,
): VerifiedDay {
  const size = monitor?.size ?? 0
  if (hours !== 0 && hours !== size) throw new WrongLine(`${head.day} has ${size} leaves, and not ${hours}.`)
  const leaves: HourLeaf[] = []
  for (let number = 0; number < hours; number += 1) {
    const leaf = takeLine(reading, hourLeafSchema)
    assertHour(leaf, { before: leaves.at(-1), day: head.day, monitor: start.monitor })
    leaves.push(leaf)
  }
  if (hours > 0 && rootOfHours(leaves.map((leaf) => canonicalJson(leaf))) !== monitor?.root)
    throw new WrongLine(`The hours of ${head.day} are not those that were signed.`)
  const sum = (member: 'checks' | 'up' | 'degraded' | 'down'): number =>
    leaves.reduce((total, leaf) => total + leaf[member], 0)
  const counts = { checks: sum('checks'), up: sum('up'), degraded: sum('degraded'), down: sum('down') }
  return { day: head.day, root: headHash(head), ...counts, hours, areHoursKept: hours === size }
}

type HourPlace = { before: HourLeaf | undefined; day: string; monitor: string }

function assertHour(leaf: HourLeaf, { before, day, monitor }: HourPlace): void {
  if (leaf.monitor !== monitor) throw new WrongLine('The hour is of another monitor.')
  if (!leaf.hour.startsWith(day)) throw new WrongLine(`The hour is not of ${day}.`)
  if (before !== undefined && compareHours(before, leaf) >= 0) throw new WrongLine('The hours are out of order.')
  if (leaf.checks !== leaf.up + leaf.degraded + leaf.down) throw new WrongLine('The counts do not add up.')
}

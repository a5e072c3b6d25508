import { rootByPath, rootOf } from './merkle-tree.ts'
import {
  type DayHead,
  type ExportWorkspaceDay,
  headHash,
  monitorDaySchema,
  monitorLeafHash,
  workspaceDaySchema,
  workspaceFormat,
  workspaceLeafHash,
  workspaceStartSchema,
} from './signed-history.ts'
import {
  type Reading,
  type Verified,
  type VerifiedDay,
  type VerifyOptions,
  WrongLine,
  agreesWithRoots,
  assertEnd,
  assertFollows,
  assertOwnKeys,
  assertSigned,
  isDay,
  readHours,
  takeLine,
  toBytes,
  verified,
} from './verify-history.ts'

/** A day of a workspace: all monitors that have a leaf in its tree, none of which can be left out unseen. */
export type VerifiedWorkspaceDay = { day: string; root: string; monitors: (VerifiedDay & { monitor: string })[] }

export type VerifiedWorkspace = {
  installation: string
  workspace: string
  days: VerifiedWorkspaceDay[]
  /** How many of the given roots are of days of the export, and agree. */
  agreeingRoots: number
}

/** Whether a text says of itself that it is the export of a workspace. */
export function isWorkspaceExport(text: string): boolean {
  return text.startsWith(`{"format":"${workspaceFormat}"`)
}

/** As `verifyHistory`, of the export of a workspace. */
export function verifyWorkspace(text: string, options: VerifyOptions = {}): Verified<VerifiedWorkspace> {
  return verified(text, (reading) => readExport(reading, options))
}

function readExport(reading: Reading, { keys, roots = [] }: VerifyOptions): VerifiedWorkspace {
  const start = takeLine(reading, workspaceStartSchema)
  assertOwnKeys(start)
  const trusted = keys ?? start.keys
  const days: VerifiedWorkspaceDay[] = []
  let agreeingRoots = 0
  let previous: DayHead | null = null
  while (isDay(reading)) {
    const day = takeLine(reading, workspaceDaySchema)
    assertFollows(day.head, previous)
    assertSigned(day, { start, trusted })
    if (agreesWithRoots(day.head, roots)) agreeingRoots += 1
    days.push(readMonitors(reading, day, start.workspace))
    previous = day.head
  }
  assertEnd(reading, days.length)
  return { installation: start.installation, workspace: start.workspace, days, agreeingRoots }
}

function readMonitors(reading: Reading, day: ExportWorkspaceDay, workspace: string): VerifiedWorkspaceDay {
  const { head } = day
  const monitors: VerifiedWorkspaceDay['monitors'] = []
  const leaves: Buffer[] = []
  for (let number = 0; number < day.monitors; number += 1) {
    const { hours, ...ofMonitor } = takeLine(reading, monitorDaySchema)
    const before = monitors.at(-1)
    if (before !== undefined && before.monitor >= ofMonitor.monitor)
      throw new WrongLine('The monitors are out of order.')
    monitors.push({ monitor: ofMonitor.monitor, ...readHours(reading, { head, hours, monitor: ofMonitor }, ofMonitor) })
    leaves.push(monitorLeafHash(ofMonitor))
  }
  assertProved(day, { workspace, leaves })
  return { day: head.day, root: headHash(head), monitors }
}

/** That exactly these monitors are the workspace's tree, and that it is in the one whose root is signed. */
function assertProved(
  { head, workspace }: ExportWorkspaceDay,
  own: { workspace: string; leaves: readonly Buffer[] },
): void {
  const size = own.leaves.length
  if (workspace === null || size === 0) {
    if (workspace !== null || size > 0) throw new WrongLine(`${head.day} is proved in part only.`)
    return
  }
  const leaf = workspaceLeafHash({ workspace: own.workspace, root: rootOf(own.leaves).toString('hex'), size })
  const { index, path } = workspace
  const proved = rootByPath(leaf, { index, size: head.size, path: path.map(toBytes) })
  if (proved?.toString('hex') !== head.root)
    throw new WrongLine(`The signed root of ${head.day} does not contain these monitors.`)
}

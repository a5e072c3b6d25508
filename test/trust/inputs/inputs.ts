// The proof of bad input: whatever anyone sends, the service answers as documented, quickly, tells nothing of its inside,
// and changes nothing of others.
import type { Order, Outcome, Proof } from '../proof.ts'
import { operationSubjects } from './api.ts'
import { toolSubjects } from './mcp.ts'
import { surfaceSubjects } from './surfaces.ts'
import { tryBus } from './bus/try-bus.ts'
import { tryAll } from './try.ts'
import { tryParsers } from './try-parsers.ts'
import { faultsIn, type Service } from '../program.ts'
import { startService } from './service.ts'
import { stillSum } from './still.ts'
import { createTally, type Tally } from './tally.ts'
import { createWorld, type World } from './world.ts'
import { leakIn } from './oracle.ts'

export const inputs: Proof = { name: 'inputs', run }

/** Beyond its own share, a process may keep caches and what its collector has not looked at yet. */
const mostGrowthMb = 600

/** Of the time; the rest is for the service. */
const parserShare = 0.3
const busShare = 0.2

async function run(order: Order): Promise<Outcome> {
  const parsed = tryParsers(order, order.budgetMs * parserShare)
  for (const line of parsed.lines) order.report(line)
  const ofParsers = { load: `${parsed.runs} texts`, survived: null, findings: parsed.findings, lost: null }
  if (order.only?.startsWith('parser:') === true) return ofParsers
  const carried = await tryBus(order, order.budgetMs * busShare)
  if (order.only?.startsWith('bus:') === true) return { ...ofParsers, ...carried }
  const served = await tryService(order, order.budgetMs * (1 - parserShare - busShare))
  const findings = [...parsed.findings, ...carried.findings, ...served.findings]
  return { ...served, load: [served.load, ofParsers.load, carried.load].filter(Boolean).join(', '), findings }
}

async function tryService(order: Order, budgetMs: number): Promise<Outcome> {
  const tally = createTally(order.report)
  const service = await startService()
  try {
    const world = await createWorld(service)
    const before = await stillSum(service, world.still.workspaceId)
    const beganMb = service.memoryMb() ?? 0
    const { subjects: operations, refresh } = await operationSubjects(world, order.seed)
    const subjects = [...operations, ...(await toolSubjects(world, order.seed)), ...surfaceSubjects(world, order.seed)]
    order.report(`${subjects.length} operations, tools and addresses take input`)
    await tryAll({ order, world, tally, service, subjects, refresh, untilMs: performance.now() + budgetMs })
    await judgeService({ service, world, tally, before, beganMb, report: order.report })
    for (const line of tally.lines()) order.report(line)
    order.report(`never answered 2xx: ${tally.neverFine().join(', ') || 'none'}`)
    world.close()
  } finally {
    await service.end()
  }
  const findings = tally.findings()
  return { load: `${tally.total()} requests`, survived: null, findings, lost: null }
}

type Ended = {
  service: Service
  world: World
  tally: Tally
  before: string
  beganMb: number
  report: (line: string) => void
}

async function judgeService({ service, world, tally, before, beganMb, report }: Ended): Promise<void> {
  const found = (what: string): void => tally.found({ what, case: 'all' })
  if (!service.isAlive()) return found(`The service ended: ${service.log().slice(-2000)}`)
  const health = await world.send({ method: 'GET', path: '/readyz', headers: {}, body: null })
  if ('broken' in health || health.status !== 200)
    found(`The service is not ready at the end: ${JSON.stringify(health)}`)
  if ((await stillSum(service, world.still.workspaceId)) !== before)
    found('The objects of a workspace that nobody called have changed.')
  const endedMb = service.memoryMb() ?? 0
  report(`memory: ${beganMb} MiB at the start, ${endedMb} MiB at the end`)
  if (endedMb - beganMb > mostGrowthMb) found(`The process grew from ${beganMb} to ${endedMb} MiB.`)
  judgeLog(service.log(), { world, found })
}

function judgeLog(log: string, { world, found }: { world: World; found: (what: string) => void }): void {
  // The first start shows the owner's token where it made it; this one was given.
  for (const line of faultsIn(log)) found(`The service logged: ${line.slice(0, 1500)}`)
  for (const line of log.split('\n'))
    if (world.secrets.some((secret) => line.includes(secret))) found(`The log ${leakIn(line, world.secrets)}`)
}

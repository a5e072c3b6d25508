import type { Database } from '#store/database/database.ts'
import { assertConsistent } from '../consistency.ts'
import type { Received } from '../receiver.ts'
import { assertRefolds } from '../refold.ts'
import { assertCalls, type Called } from './heartbeats.ts'
import { assertAlerts, assertIncidents, type Outage } from './outages.ts'
import { assertStored, type Tap } from './tap.ts'

export type Witnesses = {
  database: Database
  tap: Tap
  called: readonly Called[]
  outages: readonly Outage[]
  received: readonly Received[]
}

export type Aftermath = {
  figures: string[]
  /** One sentence for each promise that was not kept. */
  problems: string[]
}

/** Looks at everything that was promised, also when one promise was not kept: together they tell what happened. */
export async function lookAtAftermath({ database, tap, called, outages, received }: Witnesses): Promise<Aftermath> {
  const aftermath: Aftermath = { figures: [], problems: [] }
  const look = async (find: () => Promise<string>): Promise<void> => {
    try {
      aftermath.figures.push(await find())
    } catch (error) {
      aftermath.problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  await look(async () => {
    const stored = await assertStored(database, tap)
    return `${tap.heard.size} results were heard at the broker, ${stored} are stored`
  })
  await look(async () => {
    const stored = await assertCalls(database, called)
    const answered = called.reduce((sum, each) => sum + each.answered, 0)
    const refused = called.reduce((sum, each) => sum + each.unknown, 0)
    return `${answered} calls were answered 200, ${refused} were made again, ${stored} are stored`
  })
  await look(async () => {
    const incidents = await assertIncidents(database, outages)
    const seconds = assertAlerts(incidents, received)
    const ids = new Set(received.map(({ headers }) => headers['webhook-id']))
    return `${incidents.length} incidents; ${received.length} alerts came under ${ids.size} ids, down alerts within ${seconds.toFixed(1)} s of the round`
  })
  await look(async () => {
    await assertConsistent(database)
    return 'all tables tell the same story'
  })
  await look(async () => `${await assertRefolds(database.pool)} rounds fold to the same incidents once more`)
  return aftermath
}

import { z } from 'zod'
import { type MonitorRecord, monitorSchema } from '#core/monitors/monitor.ts'
import { type Trouble, type Watched, before, jonas, mara, watched } from './company.ts'
import type { Entry } from './diary.ts'
import { type Suffering, begin, deliverAll, end } from './outages.ts'
import { spanOf } from './past.ts'
import type { As } from './person.ts'
import type { Service } from './service.ts'

export type Monitors = {
  /** Made by now, by name. */
  of: (name: string) => MonitorRecord
  /** The key that tables use. */
  keyOf: (name: string) => Promise<number>
  /** Actions of people on the monitors, and events. */
  entries: Entry[]
}

const createdSchema = z.object({ data: monitorSchema })
const addedDaysAgo = 365

export function monitorsOf(service: Service, as: As): Monitors {
  const { database } = service
  const made = new Map<string, MonitorRecord>()
  const of = (name: string): MonitorRecord => {
    const monitor = made.get(name)
    if (monitor === undefined) throw new Error(`There is no monitor ${name} yet.`)
    return monitor
  }

  async function create({ input, name, members }: Watched): Promise<void> {
    const options = members === undefined ? {} : { member_ids: members.map((member) => of(member).id) }
    const checkOptions = { ...z.looseObject({}).parse(input['check_options'] ?? {}), ...options }
    const body = { kind: 'http', name, ...input, check_options: checkOptions }
    const person = await as(jonas)
    made.set(name, createdSchema.parse(await person.ask('POST', '/monitors', body)).data)
  }

  async function keyOf(name: string): Promise<number> {
    const { key } = await database.query
      .selectFrom('monitors')
      .select('key')
      .where('id', '=', of(name).id)
      .executeTakeFirstOrThrow()
    return Number(key)
  }

  async function sufferingOf(name: string, trouble: Trouble): Promise<Suffering> {
    const { id, kind, url, locations } = of(name)
    const monitor = { id, key: await keyOf(name), name, kind, url }
    return { workspaceId: service.workspaceId, monitor, locations, trouble }
  }

  function troubleEntries(name: string, trouble: Trouble): Entry[] {
    const { from, until } = spanOf(trouble)
    const [startedAt, endedAt] = [new Date(from), new Date(until)]
    let incident: Awaited<ReturnType<typeof begin>> = null
    const begins = async (): Promise<void> => {
      incident = await begin(database, await sufferingOf(name, trouble), startedAt)
    }
    const ends = async (): Promise<void> =>
      end(database, await sufferingOf(name, trouble), { incident, startedAt, at: endedAt })
    const delivered = (at: Date): Entry => ({
      at: new Date(at.getTime() + 1000),
      what: `Alerts of ${name} leave`,
      happens: () => deliverAll(database, name === 'Mail' ? ['On call'] : []),
    })
    const first = { at: startedAt, what: `${name} has trouble`, happens: begins }
    if (trouble.minutes === null) return [first, delivered(startedAt)]
    return [first, delivered(startedAt), { at: endedAt, what: `${name} is well`, happens: ends }, delivered(endedAt)]
  }

  const entries = watched.flatMap((each) => [
    {
      at: before({ days: each.daysOld ?? addedDaysAgo, minutes: -watched.indexOf(each) }),
      what: `${each.name} is added`,
      happens: () => create(each),
    },
    ...(each.troubles ?? []).flatMap((trouble) => troubleEntries(each.name, trouble)),
  ])
  const pauses = watched
    .filter(({ isPaused }) => isPaused === true)
    .map(({ name }) => ({
      at: before({ days: 33 }),
      what: `${name} is paused`,
      happens: async () => {
        await (await as(mara)).call('POST', `/monitors/${of(name).id}/pause`)
      },
    }))
  return { of, keyOf, entries: [...entries, ...pauses] }
}

import { z } from 'zod'
import { StartError } from '#store/database/start-error.ts'
import type { PacedService } from './paced-service.ts'

/** Some 50 million days, or five million incidents: a bound, should a service never say that it is done. */
const maxPages = 10_000
const incidentsAtOnce = 500

const pageSchema = z.object({ data: z.array(z.unknown()), next_cursor: z.string().nullable() })

/** The members `days` and `incidents` of a JSON object, piece by piece as they come. Throws StartError. */
export async function* historyMembers(service: PacedService): AsyncGenerator<string> {
  yield '  "days": ['
  yield* itemsOf(service, 'export/days?')
  yield '\n  ],\n  "incidents": ['
  yield* itemsOf(service, `incidents?limit=${incidentsAtOnce}`)
  yield '\n  ]'
}

async function* itemsOf(service: PacedService, path: string): AsyncGenerator<string> {
  let cursor: string | null = null
  let isFirst = true
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { data, next_cursor: next }: z.infer<typeof pageSchema> = await pageOf(service, path, cursor)
    yield data.map((item, at) => `${isFirst && at === 0 ? '' : ','}\n    ${JSON.stringify(item)}`).join('')
    isFirst &&= data.length === 0
    if (next === null) return
    cursor = next
  }
  throw new StartError('The service has more history than one export can hold.')
}

async function pageOf(service: PacedService, path: string, cursor: string | null): Promise<z.infer<typeof pageSchema>> {
  const behind = cursor === null ? path : `${path}${path.endsWith('?') ? '' : '&'}cursor=${encodeURIComponent(cursor)}`
  const asked = await service.ask({ method: 'GET', path: behind })
  if (asked.type !== 'done') throw new StartError(asked.problem)
  const page = pageSchema.safeParse(asked.body)
  if (!page.success)
    throw new StartError('The answer of the service is not a page of its history. Is the service on the same release?')
  return page.data
}

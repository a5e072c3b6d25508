import { z } from 'zod'
import { locationSchema } from '#core/account.ts'
import { listLocations, readLostNetworks } from '#store/installation/locations.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Services } from '#operations/pipeline/services.ts'

const listLocationsOperation = defineOperation({
  name: 'list_locations',
  method: 'GET',
  path: '/locations',
  scope: 'read',
  tag: 'Monitors',
  summary: 'List the locations that monitors can be checked from',
  description: 'The order is stable; the first location is the default of new monitors.',
  errors: [401],
  success: {
    status: 200,
    description: 'All locations.',
    schema: z.strictObject({ data: z.array(locationSchema) }),
  },
  run: async ({ services }) => {
    const locations = await listLocations(services.database)
    const lost = await readLostNetworks(services.database)
    const numbers = new Map<string, number>()
    const witnessOf = (code: string): number | null => {
      const witness = services.witnessOf(code)
      if (witness === null) return null
      // A machine's own name is told to nobody.
      if (!numbers.has(witness)) numbers.set(witness, numbers.size + 1)
      return numbers.get(witness) ?? null
    }
    const data = locations.map(({ code, name }) => {
      const online = services.isOnline(code)
      const lostAt = online ? lost.get(code) : undefined
      return { code, name, online, lost_network_since: lostAt?.toISOString() ?? null, witness: witnessOf(code) }
    })
    return { status: 200, body: { data } }
  },
})

export const locationOperations = [listLocationsOperation]

/** Callers without an account cannot ask for the list, so the API's document names the codes. */
export async function locationCodes({ database }: Pick<Services, 'database'>): Promise<string[]> {
  return (await listLocations(database)).map(({ code }) => code)
}

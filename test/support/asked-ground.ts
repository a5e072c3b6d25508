import { createDestinations } from '#net/ground/destinations.ts'
import { createGround, type Ground } from '#net/ground/ground.ts'

/** What surrounds a machine that asks references whether it has a network. It may change meanwhile. */
export type AskedWorld = {
  /** Addresses that accepted connections of this machine before. */
  known?: string[]
  configured?: string[]
  roots?: string[]
  gateways?: string[]
  /** What answers now. */
  answering: string[]
  /** Where names lead. */
  leads?: Record<string, string[]>
  resolverAnswers?: boolean
}

/** Which references are asked goes into `asked`, by their addresses. */
export function askedGround(world: AskedWorld, asked: string[] = []): Ground {
  const { known = [], configured = [], roots = [], gateways = [], leads = {} } = world
  const destinations = createDestinations()
  for (const address of known) destinations.accepted(address, 443, '')
  return createGround({
    destinations,
    configured: configured.map((host) => ({ host, port: 443 })),
    roots: roots.map((host) => ({ host, port: 53 })),
    gateways: () => gateways.map((host) => ({ host, port: 53 })),
    connect: async ({ host }) => {
      asked.push(host)
      return world.answering.includes(host) ? (leads[host] ?? [host]) : null
    },
    resolverAnswers: async () => world.resolverAnswers ?? true,
  })
}

import { kept } from '#core/language/kept.ts'
import { forbiddenServer, parseDnsServer } from '#net/dns/dns-servers.ts'
import type { Guard } from './guard.ts'
import { labelOf } from './reach.ts'
import { createResolver, type ResolverFor } from './resolve.ts'

/** Each keeps a channel of c-ares and what it has learned; those of so many name servers are kept at most. */
const maxKept = 100

/** Resolvers of monitors that name a name server of their own, such as `9.9.9.9` or `[2620:fe::fe]:53`. */
export function createOwnResolvers(guard: Guard): (server: string) => ResolverFor {
  return kept((server) => resolverFor(server, guard), maxKept)
}

function resolverFor(text: string, guard: Guard): ResolverFor {
  const server = parseDnsServer(text)
  const problem = forbiddenServer(server, guard)
  if (problem !== null) return { ok: false, failure: { phase: 'dns', code: 'forbidden_address', message: problem } }
  const servers = [labelOf(server.address, server.port)]
  return { ok: true, resolver: createResolver({ servers, hostsPath: null, own: server.address }) }
}

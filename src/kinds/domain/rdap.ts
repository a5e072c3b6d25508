import { z } from 'zod'
import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { longestSuffix } from './domain-suffix.ts'
import { maxStatuses, plainName, plainStatus, type Registration } from './registration.ts'
import { parseWhoisDate } from './whois-date.ts'

/** Which RDAP server knows the domains below a name; its base address ends in a slash. */
export type RdapServers = ReadonlyMap<string, string>

/** IANA's list has some 600. */
const maxServices = 3_000

/** RFC 9224 4: pairs of names and of the base addresses that serve them. */
const bootstrapSchema = z.object({
  services: z.array(z.tuple([z.array(z.string()), z.array(z.string())]).rest(z.unknown())).max(maxServices),
})

/** IANA's dns.json; null when the text is no such list. The first address over https counts. */
export function parseRdapServers(text: string): RdapServers | null {
  const parsed = bootstrapSchema.safeParse(parseJson(text))
  if (!parsed.success) return null
  const servers = new Map<string, string>()
  for (const [names, addresses] of parsed.data.services) {
    const usable = addresses.filter((address) => /^https?:\/\//i.test(address) && URL.canParse(address))
    const base = usable.find((address) => /^https:/i.test(address)) ?? usable[0]
    if (base !== undefined) for (const name of names) servers.set(name.toLowerCase(), base.replace(/\/*$/, '/'))
  }
  return servers
}

/** The server of the longest name that the domain ends with (RFC 9224 4); null when there is none. */
export function rdapServerFor(domain: string, servers: RdapServers): string | null {
  return longestSuffix(domain, (name) => servers.get(name))
}

const eventSchema = z.object({ eventAction: z.string(), eventDate: z.string() })
const entitySchema = z.object({
  roles: z.array(z.string()),
  vcardArray: z.unknown().optional(),
  handle: z.string().optional(),
})

/** Wrong members are left out one by one: registries bend the format, and what they do say is worth having. */
const domainSchema = z.object({
  objectClassName: z.literal('domain'),
  events: listOf(eventSchema),
  entities: listOf(entitySchema),
  status: listOf(z.string()),
})

/** A domain as RDAP describes it (RFC 9083 5.3); null when the text is no such description. */
export function parseRdapDomain(text: string): Registration | null {
  const parsed = domainSchema.safeParse(parseJson(text))
  if (!parsed.success) return null
  const { events, entities, status } = parsed.data
  const registrar = entities.find(({ roles }) => roles.includes('registrar'))
  return {
    isRegistered: true,
    expiresAt: expiryOf(events),
    registrar:
      registrar === undefined ? null : plainName(formattedName(registrar.vcardArray) ?? registrar.handle ?? ''),
    statuses: [...new Set(status.map(plainStatus))].filter((each) => each !== '').slice(0, maxStatuses),
  }
}

/** The registry's own date first; RFC 9083 10.2.3 names both. */
const expiryActions = ['expiration', 'registrar expiration']

function expiryOf(events: readonly z.infer<typeof eventSchema>[]): string | null {
  for (const action of expiryActions)
    for (const event of events) {
      const date = event.eventAction.toLowerCase() === action ? parseWhoisDate(event.eventDate) : null
      if (date !== null) return date.toISOString()
    }
  return null
}

/** RFC 7095: `["vcard", [["fn", {}, "text", "Example Registrar"], …]]`. */
function formattedName(vcard: unknown): string | null {
  const properties: unknown = Array.isArray(vcard) ? vcard[1] : null
  if (!Array.isArray(properties)) return null
  for (const property of properties) {
    const [name, , , value]: unknown[] = Array.isArray(property) ? property : []
    if (name === 'fn' && typeof value === 'string' && value !== '') return value
  }
  return null
}

const maxMembers = 100

/** The members of a list that are as they should be; none of what is no list. */
function listOf<T>(member: z.ZodType<T>): z.ZodType<T[]> {
  const given = z.unknown().optional()
  return given.transform((value) => {
    const members: unknown[] = Array.isArray(value) ? value.slice(0, maxMembers) : []
    return members.flatMap((each) => {
      const parsed = member.safeParse(each)
      return parsed.success ? [parsed.data] : []
    })
  })
}

/** Undefined where the text is no JSON, or was made to be slow. */
function parseJson(text: string): unknown {
  const read = parseBoundedJson(text)
  return read.type === 'value' ? read.value : undefined
}

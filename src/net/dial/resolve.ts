import { Resolver as ChannelResolver } from 'node:dns'
import { isIP } from 'node:net'
import { openHostsFile } from './hosts-file.ts'
import type { NetFailure } from './net-failure.ts'
import { createLookupCache, type Family, type FamilyAnswer } from './lookup-cache.ts'

export type Resolution = { ok: true; addresses: readonly string[] } | { ok: false; failure: NetFailure }

/** RFC 2782. The target has no final dot, so that "" says that there is no such service. */
export type ServiceRecord = { target: string; port: number; priority: number; weight: number }

export type ServiceResolution = { ok: true; records: readonly ServiceRecord[] } | { ok: false; failure: NetFailure }

export type Resolver = {
  /** The address of the name server that a monitor names for itself; null where those of this location are asked. */
  own: string | null
  /**
   * The addresses of a name, IPv6 and IPv4. A fresh look-up asks the name servers, because a check measures them too;
   * one that is not fresh (in the later steps of a check) may use an answer of the last moments. A look-up ends by
   * itself after `tries` attempts and is shared by all callers that ask the same meanwhile. With a `family` only its
   * addresses are asked for.
   */
  resolve: (name: string, options: { isFresh: boolean; family?: Family | undefined }) => Promise<Resolution>
  /** The SRV records of a name such as _sip._tcp.example.com in the order in which to try them, without a cache. */
  resolveService: (name: string) => Promise<ServiceResolution>
}

/** The resolver that a monitor asks for, or why it cannot have it. */
export type ResolverFor = { ok: true; resolver: Resolver } | { ok: false; failure: NetFailure }

/** Of one attempt of c-ares, and how many it makes. */
const usual = { timeoutMs: 2000, tries: 3 }

export type ResolverOptions = {
  /** Each is host[:port]; default: the name servers of the machine. */
  servers?: readonly string[]
  /** Null: names are looked up whatever is written there. Default: the machine's own. */
  hostsPath?: string | null
  /** As in `Resolver`. Default: null. */
  own?: string
  timeoutMs?: number
  tries?: number
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

/**
 * Reads the machine's hosts file first, then asks by c-ares, so that slow name servers do not block libuv's four
 * threads. Throws when a server is not a literal address.
 */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const now = options.now ?? (() => performance.now())
  const { hostsPath = '/etc/hosts' } = options
  const hosts = hostsPath === null ? null : openHostsFile(hostsPath, now)
  const channel = new ChannelResolver({
    timeout: options.timeoutMs ?? usual.timeoutMs,
    tries: options.tries ?? usual.tries,
  })
  if (options.servers !== undefined && options.servers.length > 0) channel.setServers([...options.servers])
  const cache = createLookupCache((name, family) => ask(channel, name, family), now)
  return {
    own: options.own ?? null,
    resolve: async (name, { isFresh, family }) => {
      const plain = (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
      const local = hosts?.find(plain) ?? []
      if (local.length > 0) return ofFamily(plain, local, family)
      if (family !== undefined) return combine(plain, [await cache.look(plain, family, isFresh)], family)
      return combine(plain, await bothFamilies(cache.look(plain, 6, isFresh), cache.look(plain, 4, isFresh)))
    },
    resolveService: (name) => askService(channel, name),
  }
}

function ask(channel: ChannelResolver, name: string, family: Family): Promise<FamilyAnswer> {
  return new Promise((resolve) => {
    const answer = (error: NodeJS.ErrnoException | null, records: { address: string; ttl: number }[]): void => {
      if (error !== null) return resolve({ addresses: [], code: error.code ?? 'EUNKNOWN', ttlSeconds: 0 })
      const ttlSeconds = Math.min(...records.map((record) => record.ttl))
      return resolve({ addresses: records.map((record) => record.address), code: null, ttlSeconds })
    }
    if (family === 6) channel.resolve6(name, { ttl: true }, answer)
    else channel.resolve4(name, { ttl: true }, answer)
  })
}

function askService(channel: ChannelResolver, name: string): Promise<ServiceResolution> {
  return new Promise((resolve) => {
    channel.resolveSrv(name, (error, found) => {
      if (error !== null) {
        const { code, message } = dnsFailure(error.code ?? 'EUNKNOWN', name)
        return resolve({ ok: false, failure: { phase: 'dns', code, message } })
      }
      const records = found.map(({ name: target, port, priority, weight }) => ({
        target: target.endsWith('.') ? target.slice(0, -1) : target,
        port,
        priority,
        weight,
      }))
      return resolve({ ok: true, records: records.toSorted(byPreference) })
    })
  })
}

/**
 * RFC 2782 draws lots within a priority. A check prefers the highest weight, so that it asks the same server each time.
 */
function byPreference(one: ServiceRecord, other: ServiceRecord): number {
  return one.priority - other.priority || other.weight - one.weight
}

/** RFC 8305 3: when one family has answered, the other one gets 50 ms more. */
const resolutionDelayMs = 50

async function bothFamilies(six: Promise<FamilyAnswer>, four: Promise<FamilyAnswer>): Promise<FamilyAnswer[]> {
  const both = Promise.all([six, four])
  const first = await Promise.race([six, four])
  if (first.addresses.length === 0) return both
  const { promise: tooLate, resolve } = Promise.withResolvers<FamilyAnswer[]>()
  const timer = setTimeout(() => resolve([first]), resolutionDelayMs)
  try {
    return await Promise.race([both, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** Addresses that need no look-up, of one family where only that is asked for. */
export function ofFamily(name: string, addresses: readonly string[], family: Family | undefined): Resolution {
  const wanted = family === undefined ? addresses : addresses.filter((address) => isIP(address) === family)
  return combine(name, [{ addresses: wanted, code: null, ttlSeconds: 0 }], family)
}

function combine(name: string, answers: readonly FamilyAnswer[], family?: Family): Resolution {
  const addresses = answers.flatMap((answer) => answer.addresses)
  if (addresses.length > 0) return { ok: true, addresses }
  const codes = answers.map((answer) => answer.code)
  const code = severity.find((known) => codes.includes(known)) ?? codes[0] ?? 'ENODATA'
  return { ok: false, failure: { phase: 'dns', ...dnsFailure(code, name, family) } }
}

function noAddressText(name: string, family: Family | undefined): string {
  if (isIP(name) !== 0) return `${name} is no IPv${family} address`
  const records = family === undefined ? 'neither A nor AAAA' : family === 6 ? 'no AAAA' : 'no A'
  return `The name ${name} has no ${family === undefined ? '' : `IPv${family} `}address (${records})`
}

/** The most telling codes first: a name that does not exist, then servers that failed. */
const severity = ['ENOTFOUND', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'ECONNREFUSED', 'ENODATA']

function dnsFailure(code: string, name: string, family?: Family): { code: string; message: string } {
  switch (code) {
    case 'ENOTFOUND':
      return { code: 'dns_not_found', message: `The name ${name} does not exist (NXDOMAIN)` }
    case 'ENODATA':
      return { code: 'dns_no_address', message: noAddressText(name, family) }
    case 'ESERVFAIL':
      return { code: 'dns_server_failed', message: `The name server could not resolve ${name} (SERVFAIL)` }
    case 'EREFUSED':
      return { code: 'dns_refused', message: `The name server refused to resolve ${name} (REFUSED)` }
    case 'ETIMEOUT':
      return { code: 'dns_timed_out', message: `Looking up the name ${name} timed out: no name server answered` }
    case 'ECONNREFUSED':
      return { code: 'dns_unreachable', message: `The name ${name} could not be looked up: no name server listens` }
    case 'EBADNAME':
      return { code: 'dns_bad_name', message: `"${name}" cannot be a host name` }
    default:
      return { code: 'dns_failed', message: `The name ${name} could not be looked up (${code})` }
  }
}

import { isIP } from 'node:net'
import { z } from 'zod'
import { parseHostPort } from '#core/language/host-port.ts'
import { passwordLength } from '#core/people/person.ts'
import { defaultPlans, type Plan, type Plans } from '#core/money/plan.ts'

export type ConfiguredLocation = { code: string; name: string }
export type HostAndPort = { host: string; port: number }

/** Locations that one process may serve; a monitor chooses at most ten of all there are. */
const maxLocations = 32
const maxListEntries = 100

const planMembers = z.strictObject({
  slots: z.int().min(0).max(1_000_000),
  minIntervalSeconds: z.int().min(10).max(86_400),
  hasVulnerabilityAlerts: z.boolean(),
  hasPrivateRepositories: z.boolean(),
  problemDays: z.int().min(1).max(3650),
  contactKinds: z.array(z.string().min(1)).nullable(),
}) satisfies z.ZodType<Plan>

const planName = z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, 'is not the name of a plan')

/** A variable whose text `parse` understands; null from it means that the text is not what `wanted` says. */
export function variable<T>(wanted: string, parse: (text: string) => T | null): z.ZodType<T, string> {
  return z.string().transform((text, context) => {
    const parsed = parse(text)
    if (parsed !== null) return parsed
    context.addIssue({ code: 'custom', message: wanted })
    return z.NEVER
  })
}

export function wholeNumber(minimum: number, maximum: number): z.ZodType<number, string> {
  return variable(`a whole number from ${minimum} to ${maximum}`, (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return number >= minimum && number <= maximum ? number : null
  })
}

export function matching(wanted: string, pattern: RegExp): z.ZodType<string, string> {
  return variable(wanted, (text) => (pattern.test(text) ? text : null))
}

/** An address whose scheme is one of `schemes`, without a final slash. */
export function address(wanted: string, schemes: readonly string[]): z.ZodType<string, string> {
  return variable(wanted, (text) => {
    const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : ''
    return schemes.includes(scheme) ? text.replace(/\/+$/, '') : null
  })
}

export function locations(text: string): ConfiguredLocation[] | null {
  const pairs = list(text, (entry) => /^([a-z0-9]+(?:-[a-z0-9]+)*)=(.*)$/.exec(entry))
  const found = pairs?.map(([, code = '', name = '']) => ({ code, name: name.trim() })) ?? []
  const areSound = found.every(({ code, name }) => code.length <= 32 && name.length >= 1 && name.length <= 64)
  const areDistinct = new Set(found.map(({ code }) => code)).size === found.length
  return areSound && areDistinct && found.length >= 1 && found.length <= maxLocations ? found : null
}

/** CIDR ranges; a bare address is the range of that address alone. */
export function ranges(text: string): string[] | null {
  return list(text, (entry) => {
    const [base = '', prefix, ...rest] = entry.split('/')
    const bits = isIP(base) === 4 ? 32 : 128
    if (isIP(base) === 0 || base.includes('%') || rest.length > 0) return null
    if (prefix === undefined) return `${base}/${bits}`
    return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? `${base}/${Number(prefix)}` : null
  })
}

export function privateTargets(text: string): 'all' | 'none' | string[] | null {
  if (text === 'true') return 'all'
  return text === 'false' ? 'none' : ranges(text)
}

/** Resolvers as node:dns takes them: address, address:port or [address]:port. */
export function dnsServers(text: string): string[] | null {
  return list(text, (entry) => {
    if (isIP(entry) !== 0) return entry
    const target = hostAndPort(entry)
    return target !== null && isIP(target.host) !== 0 ? entry : null
  })
}

export function hostsAndPorts(text: string): HostAndPort[] | null {
  return list(text, hostAndPort)
}

/** A WHOIS server; its usual port is 43 (RFC 3912). */
export function whoisHost(text: string): HostAndPort | null {
  const target = parseHostPort(text)
  return target === null ? null : { host: target.host, port: target.port ?? 43 }
}

/** As sign-in takes them. */
export function password(text: string): string | null {
  return text.length >= passwordLength.min && text.length <= passwordLength.max ? text : null
}

/** 32 bytes, with or without the final `=`. */
export function secretKey(text: string): Buffer | null {
  return /^[A-Za-z0-9+/]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : null
}

/** Several of them. */
export function secretKeys(text: string): Buffer[] | null {
  return list(text, secretKey)
}

/** The plan catalogue with the members that a JSON object gives. */
export function plans(text: string, context: z.RefinementCtx): Plans {
  try {
    return mergePlans(text)
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : []
    const why = issue === undefined ? 'it is no JSON' : `${issue.path.join('.') || 'the whole'}: ${issue.message}`
    context.addIssue({ code: 'custom', message: `JSON such as {"pro":{"slots":500}} (${why})` })
    return z.NEVER
  }
}

function mergePlans(text: string): Plans {
  const given = z.record(planName, planMembers.partial()).parse(JSON.parse(text))
  const known: Plans = defaultPlans
  const merged = Object.entries(given).map(([name, members]) => [name, { ...known[name], ...members }])
  return { ...known, ...z.record(planName, planMembers).parse(Object.fromEntries(merged)) }
}

function hostAndPort(text: string): HostAndPort | null {
  const [, bracketed, name, port = ''] = /^(?:\[([^\]]+)\]|([^:\s/]{1,253})):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? name ?? ''
  const isSound = bracketed === undefined ? host !== '' : isIP(bracketed) === 6
  return isSound && Number(port) >= 1 && Number(port) <= 65_535 ? { host, port: Number(port) } : null
}

function list<T>(text: string, parse: (entry: string) => T | null): T[] | null {
  const entries = text.split(',').map((entry) => entry.trim())
  const parsed = entries.map(parse).filter((entry) => entry !== null)
  return parsed.length === entries.length && entries.length <= maxListEntries ? parsed : null
}

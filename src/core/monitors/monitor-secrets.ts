// What a monitor sends that others may not read: looked for in everything that is kept of its failures.
import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { SecretOption } from '#core/monitors/monitor-options.ts'

/** A shorter text keeps nothing secret, and would be hidden in every other word. */
const shortestSecret = 4
/** More leaves of a body are not looked at, one by one; the body as a whole is. */
const maxLeaves = 500

/** Headers whose values are the same for everybody. */
const commonHeaders = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-type',
  'pragma',
])

export function secretsOf(
  { requestHeaders, requestBody, options }: Pick<CheckConfiguration, 'requestHeaders' | 'requestBody' | 'options'>,
  secretOptions: readonly SecretOption[],
): string[] {
  const headers = Object.entries(requestHeaders).flatMap(([name, value]) => ofHeader(name.toLowerCase(), value))
  const { steps } = options
  const bodies = [requestBody, ...(Array.isArray(steps) ? steps.map((step) => memberOf(step, 'body')) : [])]
  const found = [
    ...headers,
    ...bodies.flatMap((body) => (typeof body === 'string' ? ofBody(body) : [])),
    ...secretOptions.flatMap((option) => leavesOf(ofOption(options, option))),
  ]
  return [...new Set(found)].filter((secret) => secret.length >= shortestSecret)
}

function ofHeader(name: string, value: string): string[] {
  if (commonHeaders.has(name)) return []
  if (name === 'cookie') return [value, ...value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim())]
  const credential = /^\s*[A-Za-z]+\s+(\S+)\s*$/.exec(value)?.[1]
  if (!name.endsWith('authorization') || credential === undefined) return [value]
  if (!/^\s*basic\s/i.test(value)) return [value, credential]
  // RFC 7617 2: the user and the password, in base64.
  const pair = Buffer.from(credential, 'base64').toString('utf8')
  return [value, credential, pair, pair.slice(pair.indexOf(':') + 1)]
}

function ofBody(body: string): string[] {
  try {
    return [body, ...leavesOf(JSON.parse(body))]
  } catch {
    return [body, ...new URLSearchParams(body).values()]
  }
}

function ofOption(options: Record<string, unknown>, option: SecretOption): unknown {
  if (typeof option === 'string') return options[option]
  const items = options[option.list]
  return Array.isArray(items) ? items.map((item) => memberOf(item, option.member)) : null
}

function leavesOf(value: unknown): string[] {
  const leaves: string[] = []
  const waiting = [value]
  while (waiting.length > 0 && leaves.length < maxLeaves) {
    const next = waiting.pop()
    if (typeof next === 'string') leaves.push(next)
    else if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next).slice(0, maxLeaves))
  }
  return leaves
}

function memberOf(item: unknown, member: string): unknown {
  return typeof item === 'object' && item !== null ? new Map(Object.entries(item)).get(member) : null
}

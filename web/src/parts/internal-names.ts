import { forbiddenAddressIn } from '#core/monitors/forbidden-target.ts'

/** Whether a monitor is named by the address of a private network, which readers of a status page should not learn. */
export function showsInternalAddress({ name, url }: { name: string; url: string | null }): boolean {
  const host = hostOf(url ?? '')
  return host !== '' && host === hostOf(name) && isInternal(host)
}

/**
 * Whether a target is of the network that Perigee stands in, where an owner may let checks go: a private address
 * (RFC 1918, RFC 4193) or a name that only such a network has. Never this machine itself, nor its link.
 */
export function isOfOwnNetwork(target: string): boolean {
  const host = hostOf(target)
  if (host === '' || ownMachine.test(host)) return false
  return ownRanges.test(host) || (isInternal(host) && isName(host))
}

/** The same, as far as it shows while the target is typed: the beginning of every name has one label. */
export function isSurelyOfOwnNetwork(target: string): boolean {
  return /[.:]/.test(hostOf(target)) && isOfOwnNetwork(target)
}

/** What a check said, of which only these are looked at. */
type Said = { error: string | null; details: Readonly<Record<string, unknown>> }

/** Whether a check was refused because its target leads into that network; a redirect may not lead there at all. */
export function wasRefusedOwnNetwork({ error, details }: Said): boolean {
  const { redirects = 0 } = details
  return redirects === 0 && tellsOwnNetwork(error ?? '')
}

/** Whether the text of a refusal says that an address is of that network. */
export function tellsOwnNetwork(text: string): boolean {
  return isOfOwnNetwork(forbiddenAddressIn(text) ?? '')
}

/** The host of an address, with or without scheme, port and path: in lower case, without brackets. */
function hostOf(address: string): string {
  const text = address
    .trim()
    .toLowerCase()
    .replace(/^[a-z][\w+.-]*:\/\//, '')
    .replace(/[/?#].*$/s, '')
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]+)(?::\d+)?)$/.exec(text) ?? []
  return bracketed ?? plain ?? text
}

/** Names of one label, those that are set aside for networks (RFC 6761, 6762, 8375), and the private ranges. */
function isInternal(host: string): boolean {
  if (host.includes(':')) return /^(?:::1$|f[cd]|fe[89ab])/.test(host)
  return !host.includes('.') || internalNames.test(host) || internalRanges.test(host)
}

/** Not every text is one: "[::" and "two words" stand in a field while it is typed. */
function isName(host: string): boolean {
  return /^[a-z\d_-]+(?:\.[a-z\d_-]+)*$/.test(host) && /[a-z]/.test(host) && !internalRanges.test(host)
}

const internalNames = /\.(?:localhost|local|internal|lan|home\.arpa)$/
const ownMachine = /^(?:.*\.)?localhost$/
/** RFC 1918, 1122 3.2.1.3, 3927 and 6598. */
const internalRanges =
  /^(?:10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/
/** RFC 1918 and 4193. */
const ownRanges = /^(?:(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+|f[cd][\da-f]{2}:[\da-f:.]+)$/

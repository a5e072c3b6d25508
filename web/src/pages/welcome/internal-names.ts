/** Whether a monitor is named by the address of a private network, which readers of a status page should not learn. */
export function showsInternalAddress({ name, url }: { name: string; url: string | null }): boolean {
  const host = hostOf(url ?? '')
  return host !== '' && host === hostOf(name) && isInternal(host)
}

/** The host of an address, with or without scheme, port and path: in lower case, without brackets. */
function hostOf(address: string): string {
  const text = address
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

const internalNames = /\.(?:localhost|local|internal|lan|home\.arpa)$/
/** RFC 1918, 1122 3.2.1.3, 3927 and 6598. */
const internalRanges =
  /^(?:10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/

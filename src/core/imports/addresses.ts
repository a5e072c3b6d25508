// Plain lists of addresses, one in a line, and sitemaps (https://www.sitemaps.org/protocol.html).
import { parseHostPort } from '#core/language/host-port.ts'
import { canonicalIpv6, isIpv4 } from '#core/language/ip-address.ts'
import { createFindings, type Where } from './findings.ts'
import { assertLength } from './import-json.ts'
import { ImportError, type ImportedFile, importLimits, type ImportedMonitorInput } from './imported.ts'
import { nameOf, shown } from './monitor-parts.ts'

type Settings = Partial<ImportedMonitorInput>

/**
 * A list has URLs, `host:port`, names and addresses; what follows white space is the name of the monitor, and lines that
 * begin with # are comments.
 */
export function readAddresses(content: string): ImportedFile {
  assertLength(content)
  const entries = /^\uFEFF?\s*</.test(content) ? ofSitemap(content) : ofList(content)
  if (entries.length === 0) throw new ImportError('It holds no addresses.')
  if (entries.length > importLimits.monitors)
    throw new ImportError(`It holds ${entries.length} addresses, and an import takes ${importLimits.monitors}.`)
  const findings = createFindings()
  const seen = new Set<string>()
  for (const { address, name, place } of entries) {
    const where = { place, findings }
    const settings = settingsOf(address, where)
    if (settings === null) continue
    const target = `${settings.kind} ${settings.url}`
    if (seen.has(target)) {
      findings.lost(place, `"${shown(address)}" stands there more than once.`)
      continue
    }
    seen.add(target)
    const shownName = nameOf(name, address.replace(/^https?:\/\//i, '').replace(/\/$/, ''))
    findings.addMonitor({
      key: findings.keyOf('monitors', shownName),
      place,
      isPaused: false,
      history: [],
      input: { name: shownName, ...settings, contacts: null },
    })
  }
  return findings.file()
}

type Entry = { address: string; name: string | null; place: string }

function ofList(content: string): Entry[] {
  return content
    .replace(/^\uFEFF/, '')
    .split(/\r\n|[\r\n]/)
    .flatMap((line, index): Entry[] => {
      const text = line.trim()
      const [, address, name = ''] = /^(\S+)(?:\s+(.*))?$/.exec(text.slice(0, 4_000)) ?? []
      if (address === undefined || text.startsWith('#')) return []
      return [{ address, name: name === '' ? null : name, place: `line ${index + 1}` }]
    })
}

/** Neither part reaches beyond the next `<`, so that a text which was made to be slow is not. */
const location = /<loc>([^<]*|\s*<!\[CDATA\[[^\]<]*\]\]>\s*)<\/loc>/gi

function ofSitemap(content: string): Entry[] {
  if (/<sitemapindex[\s>]/i.test(content.slice(0, 4_000)))
    throw new ImportError('It is an index of sitemaps. Import the sitemaps that it lists.')
  return Array.from(content.matchAll(location), ([, text = ''], index) => ({
    address: decoded(text.replace(/<!\[CDATA\[([^\]]*)\]\]>/i, '$1')).trim(),
    name: null,
    place: `url ${index + 1}`,
  }))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The five entities that sitemaps have to use. */
function decoded(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (whole, name: string) => entities[name] ?? whole)
}

function settingsOf(address: string, { place, findings }: Where): Settings | null {
  if (/^https?:\/\/[^/\s]/i.test(address)) return { kind: 'http', url: address }
  const found = parseHostPort(address) ?? parseHostPort(`[${address}]`)
  if (found === null) {
    findings.lost(place, `"${shown(address)}" is no URL, name, address or host:port.`)
    return null
  }
  if (found.port !== null) return { kind: 'tcp', url: address }
  if (isIpv4(found.host) || canonicalIpv6(found.host) !== null) return { kind: 'ping', url: found.host }
  findings.changed(place, `${shown(address)} is checked at https://${found.host}/.`)
  return { kind: 'http', url: `https://${found.host}/` }
}

import { parseDomainName } from '#core/language/domain-name.ts'

/**
 * The name that was registered, `example.co.uk` of `www.shop.example.co.uk`, by the public suffix list. Suffixes of
 * hosters (`github.io`) are names that someone registered. Null for single labels and for suffixes themselves.
 */
export async function registrableDomain(name: string): Promise<string | null> {
  // Loaded with its list (14 MB) by the first check that needs it.
  const { getDomain } = await import('tldts')
  return getDomain(name, { allowPrivateDomains: false })
}

/**
 * The same of a host that a registry may know: null for addresses, and for names that no registry sells
 * (`printer.local`, `db.internal`, `host.home.arpa`) and that no outsider has to learn of.
 */
export async function publicDomain(host: string): Promise<string | null> {
  const name = parseDomainName(host)
  if (name === null) return null
  const { parse } = await import('tldts')
  const { domain, isIcann, publicSuffix } = parse(name, { allowPrivateDomains: false })
  return isIcann === true && publicSuffix?.endsWith('arpa') === false ? domain : null
}

/** The registrable domains of many hosts, each of those without one standing for itself. */
export async function registrableDomains(): Promise<(host: string) => string> {
  const { getDomain } = await import('tldts')
  return (host) => getDomain(host, { allowPrivateDomains: false }) ?? host
}

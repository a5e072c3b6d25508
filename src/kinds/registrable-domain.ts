/**
 * The name that was registered, `example.co.uk` of `www.shop.example.co.uk`, by the public suffix list. Suffixes of
 * hosters (`github.io`) are names that someone registered. Null for single labels and for suffixes themselves.
 */
export async function registrableDomain(name: string): Promise<string | null> {
  // Loaded with its list (14 MB) by the first check that needs it.
  const { getDomain } = await import('tldts')
  return getDomain(name, { allowPrivateDomains: false })
}

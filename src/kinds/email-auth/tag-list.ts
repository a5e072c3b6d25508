/** `name=value; name=value` of DKIM and DMARC records, in their order; null when it is none (RFC 6376 3.2). */
export function parseTagList(text: string): Map<string, string> | null {
  const tags = new Map<string, string>()
  const parts = text.split(';')
  if (parts.at(-1)?.trim() === '') parts.pop()
  for (const part of parts) {
    const equals = part.indexOf('=')
    const name = part.slice(0, Math.max(equals, 0)).trim()
    if (!/^[a-z][a-z0-9_]*$/i.test(name) || tags.has(name)) return null
    tags.set(name, part.slice(equals + 1).trim())
  }
  return tags.size === 0 ? null : tags
}

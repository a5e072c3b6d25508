// Texts of others as a message shows them.

/**
 * The body of a webhook stays below 20 kB, which every receiver accepts: five texts of this length fit, at three bytes
 * a character (docs/decisions/alerts-and-contacts.md).
 */
const maxTextLength = 1000

/**
 * A target without user, password, query and fragment, which may hold secrets. A target need not be a URL: `host:port`
 * and a bare host stay as they are.
 */
export function toPublicUrl(url: string): string {
  const [address = ''] = url.split(/[?#]/, 1)
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(address) ?? []
  const end = rest.search(/[/\\]/)
  const authority = end === -1 ? rest : rest.slice(0, end)
  return oneLine(`${scheme}${authority.slice(authority.lastIndexOf('@') + 1)}${rest.slice(authority.length)}`)
}

/**
 * Removes line breaks, other control characters and marks that turn the direction of writing, because they could
 * disguise a message, and cuts a long text.
 */
export function oneLine(text: string, maxLength = maxTextLength): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
    .trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`
}

/** The same for a text whose line breaks say something: `maxBytes` are of UTF-8. */
export function someLines(text: string, maxBytes: number): string {
  const lines = text
    .toWellFormed()
    .replaceAll(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replaceAll(/(?!\n)[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
  const encoder = new TextEncoder()
  if (encoder.encode(lines).length <= maxBytes) return lines
  const room = new Uint8Array(maxBytes - encoder.encode('…').length)
  return `${lines.slice(0, encoder.encodeInto(lines, room).read).trimEnd()}…`
}

/** Bytes at a text's start in which a charset may be declared (HTML, "prescan a byte stream"). */
export const declarationBytes = 1024

/** The charset that the content-type header names; null when it names none that can be read. */
export function headerCharset(headers: Readonly<Record<string, string>>): string | null {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1]
  return label === undefined ? null : knownCharset(label)
}

/** The charset that a text declares itself, by its byte order mark or a meta element; UTF-8 when it does not. */
export function declaredCharset(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  const text = Buffer.from(start.subarray(0, declarationBytes)).toString('latin1')
  const label = /<meta\b[^>]{0,200}?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(text)?.[1]
  const charset = label === undefined ? null : knownCharset(label)
  // A meta element that can be read as ASCII cannot stand in UTF-16, whatever it says.
  return charset === null || charset.startsWith('utf-16') ? 'utf-8' : charset
}

export function decodeText(bytes: Uint8Array, headers: Readonly<Record<string, string>>): string {
  return new TextDecoder(headerCharset(headers) ?? 'utf-8').decode(bytes)
}

function knownCharset(label: string): string | null {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null
  }
}

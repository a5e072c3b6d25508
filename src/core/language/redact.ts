import { mask } from './mask.ts'

/** Shorter parts of an address, such as `v1`, are words that others have as well. */
const shortestPart = 8
/** Shorter texts are in base64 by chance. */
const shortestEncoded = 6

/** The text without the secrets, as they are, as parts of a URL, in JSON and in base64. */
export function redact(text: string, secrets: readonly string[]): string {
  const parts = secrets.filter((secret) => secret !== '').flatMap((secret) => partsOf(secret.toWellFormed()))
  const forms = new Set(parts.flatMap(formsOf))
  const plain = [...forms].toSorted((one, other) => other.length - one.length)
  const hidden = plain.reduce((shown, form) => shown.replaceAll(form, mask), text)
  return parts.flatMap(encodedCores).reduce(hideAround, hidden)
}

/** A secret that is an address gives itself away by its path as well, which is what servers repeat. */
function partsOf(secret: string): string[] {
  const url = /^https?:\/\//i.test(secret) ? URL.parse(secret) : null
  if (url === null) return [secret]
  const { pathname, search, searchParams } = url
  const parts = [...pathname.split('/'), pathname, pathname + search, ...searchParams.values()]
  return [secret, url.href, ...parts.filter((part) => part.length >= shortestPart)]
}

function formsOf(part: string): string[] {
  const inUrl = [encodeURIComponent(part), encodeURI(part)]
  const inForm = inUrl.map((form) => form.replaceAll('%20', '+'))
  const inJson = JSON.stringify(part).slice(1, -1)
  return [
    part,
    ...[...inUrl, ...inForm].flatMap((form) => [form, form.replaceAll(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase())]),
    inJson,
    inJson.replaceAll('/', '\\/'),
  ]
}

/**
 * What base64 has of a text wherever the text stands in what was encoded, such as a password after its user: the
 * characters that its bytes alone decide, at each of the three places that a byte can have.
 */
function encodedCores(part: string): string[] {
  const bytes = Buffer.from(part)
  const within = [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  })
  // Encoded alone, a short text is told apart by its end as well.
  const alone = bytes.toString('base64').replace(/=+$/, '')
  const cores = [...within, alone].filter((core) => core.length >= shortestEncoded)
  return cores.flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')])
}

/**
 * Hides the core with the characters of base64 around it, which have bits of the secret too. It looks at each character
 * once, because a search by a pattern takes the square of the length of a text that is one long word.
 */
function hideAround(text: string, core: string): string {
  let shown = ''
  let from = 0
  for (let at = text.indexOf(core); at !== -1; at = text.indexOf(core, from)) {
    let start = at
    while (start > from && isEncoded(text.charCodeAt(start - 1))) start -= 1
    let end = at + core.length
    while (isEncoded(text.charCodeAt(end))) end += 1
    for (let padding = 0; padding < 2 && text[end] === '='; padding += 1) end += 1
    shown += text.slice(from, start) + mask
    from = end
  }
  return shown + text.slice(from)
}

/** Letters, digits, and the four signs of base64 and base64url. */
function isEncoded(code: number): boolean {
  const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
  return isLetter || (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2f || code === 0x5f
}

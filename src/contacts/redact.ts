import { oneLine } from '#core/contacts/alerting.ts'
import { mask } from '#core/language/mask.ts'

const maxReasonLength = 500
/** Shorter parts of an address, such as `v1`, are words that others have as well. */
const shortestPart = 8
/** Shorter texts are in base64 by chance. */
const shortestEncoded = 6

/**
 * Why an alert was not accepted, in the provider's words, as it may be shown and kept: one line of at most 500
 * characters without any of the secrets. They are looked for before the text is cut, so that no beginning of one stays.
 */
export function shownReason(text: string, secrets: readonly string[]): string {
  const whole = oneLine(redact(text.toWellFormed(), secrets), Infinity)
  return oneLine(redact(whole, secrets), maxReasonLength)
}

/** The text without the secrets, as they are, as parts of a URL, in JSON and in base64. */
export function redact(text: string, secrets: readonly string[]): string {
  const parts = secrets.filter((secret) => secret !== '').flatMap((secret) => partsOf(secret.toWellFormed()))
  const forms = new Set(parts.flatMap(formsOf))
  const plain = [...forms].toSorted((one, other) => other.length - one.length)
  const hidden = plain.reduce((shown, form) => shown.replaceAll(form, mask), text)
  return parts.flatMap(encodedCores).reduce((shown, core) => shown.replaceAll(aroundCore(core), mask), hidden)
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
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    const core = whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
    if (core.length < shortestEncoded) return []
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** With what stands around it, which has bits of the secret too. */
function aroundCore(core: string): RegExp {
  return new RegExp(`[\\w+/-]*${core.replaceAll('+', '\\+')}[\\w+/-]*={0,2}`, 'g')
}

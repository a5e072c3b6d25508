import type { Ask } from '#kinds/dns/ask-dns.ts'
import { rsaKeyBits } from './dkim-key.ts'
import { findRecords } from '#kinds/dns/dns-records.ts'
import type { AuthProblem } from './spf.ts'
import { parseTagList } from './tag-list.ts'

export type DkimKey = { type: 'rsa' | 'ed25519'; bits: number }

export type DkimReport = { selector: string; key: DkimKey | null; problem: AuthProblem | null }

/** RFC 8301 3.2: signatures by shorter keys are not valid. */
const minRsaBits = 1024

/** Looks up the key that a selector names. RFC 6376 3.6.2. */
export async function auditDkim(selector: string, domain: string, ask: Ask): Promise<DkimReport> {
  const name = `${selector}._domainkey.${domain}`
  const down = (text: string): DkimReport => ({ selector, key: null, problem: { severity: 'down', text } })
  const asked = await ask(name, 'TXT')
  if (!asked.ok) return down(`DKIM selector ${selector} could not be looked up: ${asked.problem}`)
  const texts = findRecords(asked.answer, name, 'TXT').records.map(({ text }) => text)
  const read = texts.map(parseDkim)
  const usable = read.find((each) => each.ok)
  if (usable?.ok !== true) {
    const reason = read.find((each) => !each.ok)?.reason
    return down(`DKIM selector ${selector} has no key: ${reason ?? `there is no TXT record at ${name}`}`)
  }
  const { key, isTesting } = usable
  if (key.type === 'rsa' && key.bits < minRsaBits)
    return down(`DKIM selector ${selector} has a key of ${key.bits} bits, and receivers want ${minRsaBits} at least`)
  const text = `DKIM selector ${selector} is in test mode (t=y), which lets receivers ignore it`
  return { selector, key, problem: isTesting ? { severity: 'degraded', text } : null }
}

export type DkimRecord = { ok: true; key: DkimKey; isTesting: boolean } | { ok: false; reason: string }

/** Reads a key record for mail. RFC 6376 3.6.1, RFC 8463 for Ed25519. */
export function parseDkim(text: string): DkimRecord {
  const tags = parseTagList(text)
  if (tags === null) return bad('its record is not a list of tags such as v=DKIM1; k=rsa; p=...')
  const version = tags.get('v')
  if (version !== undefined && (version !== 'DKIM1' || tags.keys().next().value !== 'v'))
    return bad('its record does not begin with v=DKIM1')
  const encoded = tags.get('p')?.replaceAll(/\s/g, '')
  if (encoded === undefined) return bad('its record has no p tag')
  if (encoded === '') return bad('it is revoked (p is empty)')
  const problem = useProblem(tags)
  if (problem !== null) return bad(problem)
  const key = parseKey(tags.get('k') ?? 'rsa', encoded)
  if (key === null) return bad('its p tag is not a public key of the type in its k tag')
  return { ok: true, key, isTesting: listOf(tags.get('t')).includes('y') }
}

/** Why a key does not serve for signatures of mail that anyone makes today; null when it does. */
function useProblem(tags: ReadonlyMap<string, string>): string | null {
  const services = listOf(tags.get('s') ?? '*')
  if (!services.includes('*') && !services.includes('email')) return 'its key is not for mail (tag s)'
  const hashes = tags.get('h')
  return hashes === undefined || listOf(hashes).includes('sha256') ? null : 'its key is not for SHA-256 (tag h)'
}

function parseKey(type: string, encoded: string): DkimKey | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null
  const bytes = Buffer.from(encoded, 'base64')
  if (type === 'ed25519') return bytes.length === 32 ? { type, bits: 256 } : null
  const bits = type === 'rsa' ? rsaKeyBits(bytes) : null
  return bits === null ? null : { type: 'rsa', bits }
}

function listOf(value: string | undefined): string[] {
  return (value ?? '').split(':').map((each) => each.trim().toLowerCase())
}

function bad(reason: string): DkimRecord {
  return { ok: false, reason }
}

import { maxStatuses, plainName, plainStatus, type Registration, unregistered } from './registration.ts'
import { type DayPlace, parseWhoisDate } from './whois-date.ts'

/** What a WHOIS server's answer says about a domain; `problem` says in words why it says nothing. */
export type WhoisReading = { ok: true; registration: Registration } | { ok: false; problem: string }

/**
 * Reads an answer about `domain`, which is lower-case ASCII. RFC 3912 sets no format, so what the registries of the
 * world write is looked for: lines of a label and a value, and the sentences that say there is no such domain.
 */
export function readWhois(text: string, domain: string): WhoisReading {
  const fields = fieldsOf(text)
  const subject = firstOf(fields, domainLabels)?.value ?? null
  if (subject !== null && isName(subject) && !isSame(subject, domain))
    return { ok: false, problem: `answered about ${plainName(subject)} instead` }
  const expiry = expiryOf(fields)
  const statuses = fields.filter(({ label }) => statusLabels.has(label)).map(({ value }) => plainStatus(value))
  const isKnown = expiry !== null || fields.some(({ label, value }) => registeredLabels.has(label) && value !== '')
  if (!isKnown && (saysUnregistered(text) || statuses.some((status) => freeStatuses.has(status))))
    return { ok: true, registration: unregistered }
  if (!isKnown && (subject === null || statuses.length === 0)) return { ok: false, problem: refusalOf(text) }
  return {
    ok: true,
    registration: {
      isRegistered: true,
      expiresAt: expiry,
      registrar: plainName(firstOf(fields, registrarLabels)?.value ?? ''),
      statuses: [...new Set(statuses)].filter((status) => status !== '').slice(0, maxStatuses),
    },
  }
}

/** host[:port] that the root of WHOIS refers to (`refer: whois.verisign-grs.com`); null when it refers to none. */
export function whoisReferral(text: string): string | null {
  const value = firstOf(fieldsOf(text), ['refer', 'whois'])?.value ?? ''
  return /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,8}(?::\d{1,5})?$/i.test(value) ? value.toLowerCase() : null
}

type Field = { label: string; value: string }

const maxLines = 2000
const maxLineLength = 300

/** `Label: value`, `Label.....: value`, `[Label] value`, and a value that stands on the line below its label. */
function fieldsOf(text: string): Field[] {
  const lines = linesOf(text)
  return lines.flatMap((line, index) => {
    const found = /^(?:[a-z]\. )?\[(?<inner>[^\]]{1,60})\]\s*(?<rest>.*)$/.exec(line)?.groups ?? labelled(line)
    if (found === undefined) return []
    const value = (found['rest'] ?? '').trim()
    const below = lines[index + 1] ?? ''
    return [
      { label: plainLabel(found['inner'] ?? ''), value: value === '' && labelled(below) === undefined ? below : value },
    ]
  })
}

function labelled(line: string): Record<string, string | undefined> | undefined {
  const colon = line.indexOf(':')
  const isLabel = colon > 0 && colon <= 80 && !line.startsWith('%') && !line.startsWith('#')
  if (isLabel) return { inner: line.slice(0, colon), rest: line.slice(colon + 1) }
  const spoken = /^(?<inner>(?:record|domain) expires(?: on)?) (?<rest>\S.*)$/i.exec(line)
  return spoken?.groups
}

function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/, maxLines)
    .map((line) => line.slice(0, maxLineLength).trim())
    .filter((line) => line !== '')
}

/** A hint such as `(dd/mm/yyyy)` is no part of a label, and neither are the dots that lead to its value. */
function plainLabel(label: string): string {
  return label
    .toLowerCase()
    .replace(/^[*>\s]+/, '')
    .replaceAll(/\([^)]*\)/g, ' ')
    .replaceAll(/[._\-\s]+/g, ' ')
    .trim()
}

/** The first in the order of the labels, not of the lines. */
function firstOf(fields: readonly Field[], labels: readonly string[]): Field | null {
  for (const label of labels) {
    const found = fields.find((field) => field.label === label && field.value !== '')
    if (found !== undefined) return found
  }
  return null
}

const domainLabels = ['domain name', 'domain', 'domainname', 'complete domain name']
const registrarLabels = [
  'registrar',
  'registrar name',
  'sponsoring registrar',
  'registrar organization',
  'registrar handle',
  'registration service provider',
  'current registar',
  'agent',
  'authorized agency',
  'provider',
]
const statusLabels = new Set(['domain status', 'status', 'state', 'registration status', 'eppstatus'])

/** The registry's own date before what the registrar told it, the plain words last. */
const expiryLabels = [
  'registry expiry date',
  'registry expiration date',
  'domain expiration date',
  'domain expiry date',
  'expiry date',
  'expiration date',
  'expire date',
  'expiration time',
  'expires on',
  'expires at',
  'expires',
  'expire',
  'expire on',
  'paid till',
  'paid until',
  'valid until',
  'valid till',
  'valid to',
  'validity',
  'valid date',
  'record expires on',
  'record expires',
  'record expired',
  'record will expire on',
  'domain expires',
  'domain expires on',
  'renewal date',
  'renewal due',
  'exp date',
  'expiry',
  'expiration',
  'expired',
  'expired date',
  'expdate',
  'domain datebilleduntil',
  'billed until',
  'date d expiration',
  "date d'expiration",
  'fecha de expiracion',
  'fecha de vencimiento',
  'vencimiento',
  'ablaufdatum',
  'scadenza',
  'registrar registration expiration date',
]

/** What only a registered domain has. */
const registeredLabels = new Set([
  'registrar',
  'sponsoring registrar',
  'registrar name',
  'registrant',
  'registrant name',
  'registrant organization',
  'holder',
  'nserver',
  'nservers',
  'nameserver',
  'nameservers',
  'name server',
  'name servers',
  'name servers information',
  'host name',
  'primary server',
  'ns 1',
  'created',
  'created on',
  'created date',
  'creation date',
  'registered',
  'registered on',
  'registered date',
  'registration date',
  'registration time',
  'domain registered',
  'domain registration date',
])

function expiryOf(fields: readonly Field[]): string | null {
  for (const label of expiryLabels)
    for (const field of fields) {
      const date = field.label === label ? parseWhoisDate(field.value, dayPlaceOf(field.value)) : null
      if (date !== null) return date.toISOString()
    }
  return connectedUntil(fields)
}

/** JPRS writes the end of a name under co.jp beside its state: `[State] Connected (2027/03/31)`. */
function connectedUntil(fields: readonly Field[]): string | null {
  const state = fields.find(({ label }) => label === 'state')?.value ?? ''
  const until = /^connected \((?<day>[\d/]{10})\)$/i.exec(state)?.groups?.['day']
  return until === undefined ? null : (parseWhoisDate(until)?.toISOString() ?? null)
}

function dayPlaceOf(value: string): DayPlace {
  return /\(mm[/.-]dd/i.test(value) ? 'month_first' : 'day_first'
}

function isName(subject: string): boolean {
  return /^[^\s:]+\.?$/.test(subject)
}

/** A registry may write a name with its final dot or in its own letters. */
function isSame(subject: string, domain: string): boolean {
  const ascii = URL.parse(`http://${subject.replace(/\.$/, '')}`)?.hostname ?? subject
  return ascii.toLowerCase() === domain
}

const freeStatuses = new Set(['free', 'available', 'not registered', 'no object found', 'unassigned', 'not found'])

/** Each at the beginning of a line, where sentences of the small print do not stand. */
const unregisteredLines =
  /^(?:[%#*>]+\s*)?(?:error: ?\d+:\s*)?(?:no match|not found|no found|no data found|no entries found|no matching record|no object found|no such domain|no information (?:was )?(?:available|found)|nothing found|object does not exist|object_not_found|domain (?:name )?(?:unknown|not found|is not registered|has not been registered|is free|is available)|the (?:queried object|requested domain|domain|domain name) (?:does not exist|was not found|has not been registered|is not registered)|this domain name has not been registered|above domain name is not registered|we do not have an entry in our database matching your query|el dominio no se encuentra registrado|available$|not registered)/i
const unregisteredSentences =
  /^(?:[%#*>]+\s*)?(?:domain (?:name )?)?["'[]?[a-z0-9.-]{3,253}["'\]]?:?\s+(?:not found|is free|is available|no entries found|does not exist|has not been registered|is not registered|is available for (?:registration|purchase))/i

function saysUnregistered(text: string): boolean {
  return linesOf(text).some((line) => unregisteredLines.test(line) || unregisteredSentences.test(line))
}

/** An answer that is none is mostly a refusal in a sentence of its own. */
function refusalOf(text: string): string {
  const said = linesOf(text)
    .map((line) => line.replace(/^[%#*>;\s-]+/, ''))
    .find((line) => line !== '')
  return said === undefined ? 'answered nothing' : `answered "${said.slice(0, 120).replaceAll(/\p{C}/gu, '?')}"`
}

// The cause of an incident in one sentence, by rules over what its locations saw (docs/evidence.md, "The sentence").
import type { Evidence } from './evidence.ts'
import { answersOf } from './view.ts'

/** What one location saw. `location` is its name for people. */
export type Sighting = { location: string; evidence: Evidence }

/** Other monitors that failed at about the same time on an address that this one dialled. */
export type Neighbours = { address: string; monitors: number }

export type CauseQuestion = {
  /** When the incident opened. */
  at: Date
  sightings: readonly Sighting[]
  /** Null where there are none. */
  neighbours: Neighbours | null
}

/** Null where no rule fits: then the error alone says what is known. */
export function causeSentence(question: CauseQuestion): string | null {
  if (question.sightings.length === 0) return null
  for (const rule of rules) {
    const sentence = rule(question)
    if (sentence !== null) return sentence
  }
  return null
}

type Rule = (question: CauseQuestion) => string | null

/** The first that fits speaks: what is certain before what is likely. */
const rules: readonly Rule[] = [
  certificateTimes,
  differentAnswers,
  sharedAddress,
  silence,
  refusal,
  reset,
  serversFault,
  accessRefused,
]

/** Only where TLS failed: a certificate that ends is no cause of anything else. */
function certificateTimes({ at, sightings }: CauseQuestion): string | null {
  for (const { evidence } of sightings) {
    if (evidence.tls === null || !isCertificateTrouble(evidence)) continue
    const [leaf] = evidence.tls.chain
    const expired = evidence.tls.chain.find(({ not_after: end }) => Date.parse(end) < at.getTime())
    if (expired !== undefined) {
      const whose = expired === leaf ? 'The certificate' : `The issuing certificate "${expired.subject}"`
      return `${whose} expired ${spanText(at.getTime() - Date.parse(expired.not_after))} ago.`
    }
    const early = evidence.tls.chain.find(({ not_before: begin }) => Date.parse(begin) > at.getTime())
    if (early !== undefined)
      return `The certificate is not valid before another ${spanText(Date.parse(early.not_before) - at.getTime())}.`
  }
  return null
}

function isCertificateTrouble({ failure, details }: Evidence): boolean {
  return failure?.phase === 'tls' || 'days_left' in details
}

/** Answers to the question that the monitor asks; or addresses, where the locations then failed differently. */
function differentAnswers({ sightings }: CauseQuestion): string | null {
  for (const [index, one] of sightings.entries())
    for (const other of sightings.slice(index + 1)) {
      if (one.location === other.location || !haveDifferentAnswers(one.evidence, other.evidence)) continue
      return `DNS answers differ between ${one.location} and ${other.location}.`
    }
  return null
}

function haveDifferentAnswers(one: Evidence, other: Evidence): boolean {
  const [ones, others] = [answersOf(one.details), answersOf(other.details)]
  if (ones !== null && others !== null) return ones.join('\n') !== others.join('\n')
  const [here, there] = [one.addresses.resolved, other.addresses.resolved]
  if (here.length === 0 || there.length === 0 || here.some((address) => there.includes(address))) return false
  return one.failure?.code !== other.failure?.code || one.status_code !== other.status_code
}

function sharedAddress({ neighbours }: CauseQuestion): string | null {
  if (neighbours === null || neighbours.monitors < 1) return null
  const { address, monitors } = neighbours
  return `${numberWord(monitors + 1)} monitors on ${address} failed at the same time.`
}

function silence({ sightings }: CauseQuestion): string | null {
  if (!sightings.every(({ evidence }) => isTimedOut(evidence) && evidence.phases.connect_ms !== null)) return null
  if (sightings.every(({ evidence }) => evidence.failure?.phase === 'request'))
    return 'The server accepts connections but never answers.'
  if (sightings.every(({ evidence }) => evidence.failure?.phase === 'tls'))
    return 'The server accepts connections but does not answer the TLS handshake.'
  if (sightings.every(({ evidence }) => evidence.failure?.phase === 'connect')) return 'The server cannot be reached.'
  return null
}

function isTimedOut({ failure }: Evidence): boolean {
  return failure?.code === 'timed_out' || failure?.code === 'connection_timed_out'
}

function refusal({ sightings }: CauseQuestion): string | null {
  if (!haveCode(sightings, 'connection_refused')) return null
  return 'The server refuses connections: nothing listens there.'
}

function reset({ sightings }: CauseQuestion): string | null {
  if (!haveCode(sightings, 'connection_reset')) return null
  return 'The server accepts connections and resets them.'
}

function haveCode(sightings: readonly Sighting[], code: string): boolean {
  return sightings.every(({ evidence }) => evidence.failure?.code === code)
}

function serversFault({ sightings }: CauseQuestion): string | null {
  const status = sharedStatus(sightings)
  if (status === null || status < 500) return null
  return `The server answers with an error of its own (${status}).`
}

function accessRefused({ sightings }: CauseQuestion): string | null {
  const status = sharedStatus(sightings)
  if (status !== 401 && status !== 403) return null
  return `The server answers, but refuses access (${status}).`
}

/** Null where the locations saw different ones, or failed otherwise. */
function sharedStatus(sightings: readonly Sighting[]): number | null {
  const statuses = new Set(
    sightings.map(({ evidence }) => (evidence.failed_assertion === 'status' ? evidence.status_code : null)),
  )
  const [status = null] = statuses
  return statuses.size === 1 ? status : null
}

const spans = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

function spanText(ms: number): string {
  const [unit, length] = spans.find((span) => ms >= span[1]) ?? ['second', 1_000]
  const count = Math.max(1, Math.floor(ms / length))
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const words = ['Zero', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

function numberWord(count: number): string {
  return words[count] ?? String(count)
}

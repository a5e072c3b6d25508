// The rules by which a disagreement is explained, in their order: what leads to another server comes before what that
// server said, and that before how long it took.
import {
  apart,
  type Group,
  groupsOf,
  namesOf,
  type Reading,
  say,
  type SeenView,
  shortList,
  type Sides,
} from './seen-groups.ts'
import type { View, ViewMember } from './view.ts'

/** What a rule says, without the final dot, and of which members it speaks. */
export type Explanation = { sentence: string; members: readonly ViewMember[] }
type Rule = (sides: Sides) => Explanation | null

/** The first that fits speaks. */
export const rules: readonly Rule[] = [
  missingName,
  differentAnswers,
  oneFamily,
  differentAddresses,
  differentDialled,
  differentCertificates,
  differentEnds,
  differentStatuses,
  timedOut,
  brokenOff,
]

const shownAddresses = 2
const joined = (list: readonly string[]): string => list.join(' ')
const listed = (list: readonly string[]): string => shortList(list, shownAddresses)
const unlessEmpty = (list: readonly string[]): readonly string[] | null => (list.length === 0 ? null : list)

const resolved: Reading<readonly string[]> = {
  valueOf: ({ addresses }) => unlessEmpty(addresses.resolved),
  keyOf: joined,
}
const dialled: Reading<readonly string[]> = {
  valueOf: ({ addresses }) => unlessEmpty(addresses.dialled),
  keyOf: joined,
}
const records: Reading<readonly string[]> = { valueOf: ({ answers }) => answers, keyOf: joined }

function missingName({ failing, working }: Sides): Explanation | null {
  if (!failing.every(({ view }) => isUnresolved(view)) || working.some(({ view }) => isUnresolved(view))) return null
  return {
    sentence: `${namesOf(failing)} ${missingText(failing)}, ${foundText(working)}`,
    members: ['failure', 'answers'],
  }
}

function isUnresolved({ failure }: View): boolean {
  return failure?.phase === 'dns'
}

const silence = new Set(['timed_out', 'dns_timed_out', 'dns_unreachable', 'no_answer'])

function missingText(failing: readonly SeenView[]): string {
  const codes = new Set(failing.map(({ view: { failure } }) => failure?.code ?? ''))
  if ([...codes].every((code) => silence.has(code))) return 'got no answer from DNS'
  const [code = ''] = codes
  if (codes.size > 1) return 'got no address from DNS'
  const told = `${wasOf(failing.length === 1)} told by DNS that`
  if (code === 'dns_not_found') return `${told} there is no such name`
  return code === 'dns_no_address' ? `${told} the name has no address` : 'got a failure from DNS'
}

function foundText(working: readonly SeenView[]): string {
  const led = groupsOf(working, resolved)
  if (led !== null) return say(led, ledTo)
  const got = groupsOf(working, records)
  if (got !== null) return say(got, { first: ({ value }) => `got ${recordsText(value)}`, next: recordsOf })
  return `${namesOf(working)} did`
}

const ledTo = {
  first: ({ isOne, value }: Group<readonly string[]>): string => `${wasOf(isOne)} led to ${listed(value)}`,
  next: ({ value }: Group<readonly string[]>): string => `to ${listed(value)}`,
}

function wasOf(isOne: boolean): string {
  return isOne ? 'was' : 'were'
}

function recordsOf({ value }: Group<readonly string[]>): string {
  return recordsText(value)
}

function recordsText(list: readonly string[]): string {
  return list.length === 0 ? 'no record' : listed(list)
}

function differentAnswers(sides: Sides): Explanation | null {
  const groups = apart(sides, records)
  if (groups === null) return null
  const sentence = say(groups, { first: ({ value }) => `got ${recordsText(value)} from DNS`, next: recordsOf })
  return { sentence, members: ['answers'] }
}

function oneFamily(sides: Sides): Explanation | null {
  const families = apart(sides, { valueOf: familyOf, keyOf: ({ family }) => family })
  // A location of both families, or of none, tells nothing of them.
  const isWhole = sides.working.every(({ view }) => familyOf(view) !== null)
  if (families === null || !isWhole) return null
  return {
    sentence: say(families, { first: (group) => `dialled ${alone(group)}`, next: alone }),
    members: ['addresses'],
  }
}

function alone({ value: { family, address } }: Group<Family>): string {
  return `${family} alone (${address})`
}

type Family = { family: 'IPv4' | 'IPv6'; address: string }

/** Null where addresses of both families were dialled, or none was. */
function familyOf({ addresses }: View): Family | null {
  const [address] = addresses.dialled
  if (address === undefined) return null
  const isSix = address.includes(':')
  if (addresses.dialled.some((other) => other.includes(':') !== isSix)) return null
  return { family: isSix ? 'IPv6' : 'IPv4', address }
}

function differentAddresses(sides: Sides): Explanation | null {
  if (!areApart(sides, (view) => view.addresses.resolved)) return null
  const groups = apart(sides, resolved)
  return groups === null ? null : { sentence: say(groups, ledTo), members: ['addresses'] }
}

/** Out of answers that have some in common, or of targets that are addresses. */
function differentDialled(sides: Sides): Explanation | null {
  if (!areApart(sides, (view) => view.addresses.dialled)) return null
  const groups = apart(sides, dialled)
  if (groups === null) return null
  const sentence = say(groups, {
    first: ({ value }) => `dialled ${listed(value)}`,
    next: ({ value }) => listed(value),
  })
  return { sentence, members: ['addresses'] }
}

/** Whether no location that failed has anything of what the others have. */
function areApart({ failing, working }: Sides, listOf: (view: View) => readonly string[]): boolean {
  const there = new Set(working.flatMap(({ view }) => listOf(view)))
  return !failing.some(({ view }) => listOf(view).some((each) => there.has(each)))
}

type Certificate = NonNullable<View['certificate']>

function differentCertificates(sides: Sides): Explanation | null {
  const groups = apart(sides, {
    valueOf: ({ certificate }) => certificate,
    keyOf: ({ fingerprint_sha256: fingerprint }) => fingerprint,
  })
  if (groups === null) return null
  const looks = new Set(groups.map(({ value }) => lookOf(value)))
  const text = looks.size === groups.length ? lookOf : fingerprintOf
  const prefix = text === lookOf ? '' : 'with the fingerprint '
  const short = text === lookOf ? '' : 'with '
  const sentence = say(groups, {
    first: ({ isOne, value }) => `${wasOf(isOne)} shown a certificate ${prefix}${text(value)}`,
    next: ({ value }) => `one ${short}${text(value)}`,
  })
  return { sentence, members: ['certificate'] }
}

/** Of the end the day, in UTC. */
function lookOf({ issuer, not_after: end }: Certificate): string {
  return `by ${issuer} that ends on ${end.slice(0, 10)}`
}

const shownOfFingerprint = 11

function fingerprintOf({ fingerprint_sha256: fingerprint }: Certificate): string {
  return `${fingerprint.slice(0, shownOfFingerprint)}…`
}

function differentEnds(sides: Sides): Explanation | null {
  const groups = apart(sides, { valueOf: ({ final_url: url }) => url, keyOf: String })
  if (groups === null) return null
  const sentence = say(groups, { first: ({ value }) => `ended at ${value}`, next: ({ value }) => `at ${value}` })
  return { sentence, members: ['final_url'] }
}

function differentStatuses(sides: Sides): Explanation | null {
  const groups = apart(sides, { valueOf: ({ status_code: status }) => status, keyOf: String })
  if (groups === null) return null
  const sentence = say(groups, { first: ({ value }) => `got the status ${value}`, next: ({ value }) => String(value) })
  return { sentence, members: ['status_code'] }
}

function isTimedOut({ failure }: View): boolean {
  return failure?.code === 'timed_out' || failure?.code === 'connection_timed_out'
}

function timedOut({ failing, working }: Sides): Explanation | null {
  if (!failing.every(({ view }) => isTimedOut(view)) || working.some(({ view }) => isTimedOut(view))) return null
  const phases = new Set(failing.map(({ view }) => view.failure?.phase))
  const [phase] = phases
  const took = working.flatMap(({ view: { latency_ms: ms } }) => (ms === null ? [] : [ms]))
  const [least, most] = [Math.min(...took), Math.max(...took)]
  const span = least === most ? `${least} ms` : `${least} to ${most} ms`
  const others = namesOf(working)
  const members = ['failure', 'latency_ms'] as const
  const [wait, had, did] = waitOf(phases.size === 1 ? phase : undefined)
  return {
    sentence: `${namesOf(failing)} ${wait}, ${others} ${took.length === 0 ? did : `${had} after ${span}`}`,
    members,
  }
}

/** How one side waited, and what the other had. */
function waitOf(phase: string | undefined): readonly [string, string, string] {
  if (phase === 'connect') return ['could not connect in time', 'had an answer', 'could']
  if (phase === 'tls') return ['got no answer to the TLS handshake in time', 'had one', 'did']
  if (phase === 'transfer') return ['did not get the whole answer in time', 'had it', 'did']
  return ['got no answer in time', 'had one', 'did']
}

function brokenOff({ failing, working }: Sides): Explanation | null {
  if (!failing.every(({ view }) => view.failure !== null)) return null
  const ways = new Set(failing.map(({ view: { failure } }) => wayOf(failure)))
  const [way] = ways
  const [here, others] = [namesOf(failing), namesOf(working)]
  const isOne = failing.length === 1
  const told = ways.size === 1 ? way : undefined
  return { sentence: brokenText(told, { here, others, isOne, isOther: working.length === 1 }), members: ['failure'] }
}

type Way = 'refused' | 'reset' | 'handshake' | 'other'

function wayOf(failure: View['failure']): Way {
  if (failure?.code === 'connection_refused') return 'refused'
  if (failure?.code === 'connection_reset') return 'reset'
  return failure?.phase === 'tls' ? 'handshake' : 'other'
}

type Named = { here: string; others: string; isOne: boolean; isOther: boolean }

function brokenText(way: Way | undefined, { here, others, isOne, isOther }: Named): string {
  if (way === 'refused') return `${here} ${wasOf(isOne)} refused the connection, ${others} ${wasOf(isOther)} not`
  if (way === 'handshake') return `${here} failed at the TLS handshake, ${others} did not`
  if (way !== 'reset') return `${here} could not finish the exchange, ${others} could`
  const [ours, theirs] = [isOne ? 'connection' : 'connections', isOther ? 'that' : 'those']
  return `The ${ours} of ${here} ${wasOf(isOne)} reset, ${theirs} of ${others} ${wasOf(isOther)} not`
}

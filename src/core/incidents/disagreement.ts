// Why locations disagree, in sentences about what they saw (docs/evidence.md, "Why locations disagree"). A sentence says
// no more than that: nothing is guessed.
import { inWords } from '#core/language/in-words.ts'
import { rules } from './disagreement-rules.ts'
import { namesOf, type SeenView, type Sides } from './seen-groups.ts'
import { type View, type ViewMember, viewMembers } from './view.ts'

/** `sentence` is null where no location is down, or all are. */
export type Disagreement = { sentence: string | null; differs: ViewMember[] }

export function explainDisagreement(seen: readonly SeenView[]): Disagreement {
  const differs = viewMembers.filter((member) => differsIn(seen, member))
  const failing = seen.filter(({ view }) => view.status === 'down')
  const working = seen.filter(({ view }) => view.status !== 'down')
  if (failing.length === 0 || working.length === 0) return { sentence: null, differs }
  return { sentence: sentenceFor({ failing, working }, differs), differs }
}

function sentenceFor(sides: Sides, differs: readonly ViewMember[]): string {
  const told = differs.filter((member) => member in words)
  for (const rule of rules) {
    const explanation = rule(sides)
    if (explanation === null) continue
    const { sentence, members } = explanation
    return `${sentence}.${alsoText(told.filter((member) => !members.includes(member)))}`
  }
  return expectationText(sides, told) ?? sameText(sides, told)
}

/** The members that stand for something that was seen; the others are what was made of it. */
const words: Partial<Record<ViewMember, string>> = {
  addresses: 'the addresses',
  answers: 'the records',
  certificate: 'the certificate',
  final_url: 'the end of the redirects',
  status_code: 'the status code',
  protocol: 'the protocol',
  server: 'the server',
}

function wordsOf(members: readonly ViewMember[]): string {
  return inWords(members.flatMap((member) => words[member] ?? []))
}

function alsoText(members: readonly ViewMember[]): string {
  return members.length === 0 ? '' : ` They also differ in ${wordsOf(members)}.`
}

function expectationText(sides: Sides, differs: readonly ViewMember[]): string | null {
  const { failing, working } = sides
  const unmet = new Set(failing.map(({ view }) => view.failed_assertion))
  const [assertion = null] = unmet
  const isTheirs = working.some(({ view }) => view.failed_assertion === assertion)
  if (assertion === null || unmet.size > 1 || isTheirs) return null
  const place = namesOf(failing)
  if (differs.length === 0 && haveCommon(sides))
    return `They saw the same; only the expectation "${assertion}" was not met in ${place}.`
  return `The expectation "${assertion}" was not met in ${place} alone.${alsoText(differs)}`
}

function sameText(sides: Sides, differs: readonly ViewMember[]): string {
  const { failing } = sides
  const places = namesOf(failing)
  if (differs.length === 0 && !haveCommon(sides)) return `Nothing that was seen sets ${places} apart.`
  if (differs.length > 0)
    return `Nothing that was seen sets ${places} apart. The locations differ in ${wordsOf(differs)}.`
  return failing.length === 1
    ? `They saw the same; only the verdict of ${places} differs.`
    : `They saw the same; only the verdicts of ${places} differ.`
}

/** Whether both sides saw anything that can be compared: of nothing it is not said that it is the same. */
function haveCommon({ failing, working }: Sides): boolean {
  const members = viewMembers.filter((member) => member in words)
  return members.some(
    (member) => failing.some((each) => has(each, member)) && working.some((each) => has(each, member)),
  )
}

function has({ view }: SeenView, member: ViewMember): boolean {
  if (member === 'addresses') return view.addresses.resolved.length + view.addresses.dialled.length > 0
  return view[member] !== null
}

/** Whether any two of them saw something else there. What a location did not see does not differ. */
function differsIn(seen: readonly SeenView[], member: ViewMember): boolean {
  return seen.some(({ view }, index) => seen.slice(index + 1).some((other) => areDifferent(view, other.view, member)))
}

function areDifferent(one: View, other: View, member: ViewMember): boolean {
  if (one[member] === null || other[member] === null) return false
  switch (member) {
    case 'addresses':
      return areOtherAddresses(one.addresses, other.addresses)
    case 'certificate':
      return one.certificate?.fingerprint_sha256 !== other.certificate?.fingerprint_sha256
    case 'latency_ms':
      return isSlower(one.latency_ms ?? 0, other.latency_ms ?? 0)
    case 'status':
    case 'failure':
    case 'answers':
    case 'final_url':
    case 'status_code':
    case 'protocol':
    case 'server':
      return JSON.stringify(one[member]) !== JSON.stringify(other[member])
  }
}

function areOtherAddresses(one: View['addresses'], other: View['addresses']): boolean {
  const [here, there] = [one.resolved, other.resolved].map((list) => list.toSorted().join(' '))
  if (here !== '' && there !== '' && here !== there) return true
  if (one.dialled.length === 0 || other.dialled.length === 0) return false
  return !one.dialled.some((address) => other.dialled.includes(address))
}

const slowFactor = 3
const slowMs = 1_000

/** Distances alone make one location several times as slow as another, by less than a second. */
function isSlower(one: number, other: number): boolean {
  const [less, more] = [Math.min(one, other), Math.max(one, other)]
  return more >= less * slowFactor && more - less >= slowMs
}

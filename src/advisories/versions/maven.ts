import { isNought, numberKey, wordKey } from './order-key.ts'

/**
 * Maven's POM reference, "Version Order Specification": numbers and words, split at dots, hyphens and between digits
 * and letters. What counts as nothing (0, `final`, `ga`, `release`) goes where a hyphen or the end follows it.
 */
export function mavenKey(text: string): string {
  return segmentsOf(text.toLowerCase()).map(segmentKey).join('') + endTag
}

/** Joined by hyphens. A word begins a segment; the others are the numbers that dots join to it. */
type Segment = { word: string | null; isDotted: boolean; numbers: string[] }

function segmentsOf(version: string): Segment[] {
  const segments: Segment[] = []
  for (const { 0: match, 1: separator = '', 2: token = '', index } of version.matchAll(tokens)) {
    if (match === '') continue
    if (index === 0 && separator !== '') segments.push({ word: null, isDotted: true, numbers: ['0'] })
    const last = segments.at(-1)
    const isDotted = separator === '.'
    if (wordLike.test(token))
      segments.push({ word: wordOf(token, version[index + match.length]), isDotted, numbers: [] })
    else if (isDotted && last !== undefined) last.numbers.push(token)
    else segments.push({ word: null, isDotted: false, numbers: [token] })
  }
  return segments
}

const tokens = /([.-]?)(\d+|[^\d.-]+|)/g
const wordLike = /^[^\d.-]/

/** Null for the words that count as nothing. Single letters are short for a word only in front of a digit. */
function wordOf(token: string, next: string | undefined): string | null {
  const isBeforeDigit = next !== undefined && /\d/.test(next)
  const word = (isBeforeDigit ? shortWords.get(token) : undefined) ?? token
  return releaseWords.has(word) ? null : word
}

const shortWords: ReadonlyMap<string, string> = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['m', 'milestone'],
])
const releaseWords: ReadonlySet<string> = new Set(['final', 'ga', 'release'])

/**
 * In their order: words before the release, the end, words after it, numbers after a hyphen, numbers after a dot. Maven
 * 3.9 has no difference between words after a dot and after a hyphen; before, the former lay below the latter. Ours is
 * the new rule where a word means something and the old one where only its letters count.
 */
const preReleaseTags: ReadonlyMap<string, string> = new Map([
  ['alpha', '0'],
  ['beta', '1'],
  ['milestone', '2'],
  ['rc', '3'],
  ['cr', '3'],
  ['snapshot', '4'],
])
const endTag = '5'
const servicePackTag = '6'
const dottedWordTag = '7'
const hyphenedWordTag = '8'
const hyphenedNumberTag = '9'
const dottedNumberTag = 'A'

function segmentKey(segment: Segment, index: number): string {
  const { word, numbers } = segment
  const length = numbers.findLastIndex((number) => !isNought(number)) + 1
  const kept = numbers.slice(0, length).map((number, place) => {
    const isHyphened = place === 0 && word === null && index > 0
    return (isHyphened ? hyphenedNumberTag : dottedNumberTag) + numberKey(number === '' ? '0' : number)
  })
  return (word === null ? '' : wordTag(word, segment.isDotted)) + kept.join('')
}

function wordTag(word: string, isDotted: boolean): string {
  if (word === 'sp') return servicePackTag
  return preReleaseTags.get(word) ?? (isDotted ? dottedWordTag : hyphenedWordTag) + wordKey(word)
}

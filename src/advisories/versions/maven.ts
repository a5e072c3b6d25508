import { isNought, numberKey, wordKey } from './order-key.ts'

/**
 * The "Version Order Specification" in Maven's POM reference: numbers and words, split at dots, at hyphens and between
 * digits and letters. Tokens without meaning (0, `final`, `ga`, `release`) are dropped before a hyphen or the end.
 */
export function mavenKey(text: string): string {
  return segmentsOf(text.toLowerCase()).map(segmentKey).join('') + endTag
}

/** Hyphens join segments. A word begins a segment; dots join numbers to it. */
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

/** Null for words without meaning. A single letter stands for a word only before a digit. */
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
 * The tags sort in this order: words before the release, the end, words after it, numbers after a hyphen, numbers after
 * a dot. Since Maven 3.9 words after a dot and after a hyphen are equal; before, the former sorted lower. Here the new
 * rule applies to words with a meaning, and the old one to other words.
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

import { end, isNought, numberKey, releaseKey, wordKey } from './order-key.ts'

/** PEP 440. Older versions that do not follow it sort below all that do, in the order of setuptools. */
export function pypiKey(text: string): string {
  const version = text.toLowerCase()
  const groups = pep440.exec(version)?.groups
  return groups === undefined ? `0${legacyKey(version)}` : `1${pep440Key(groups)}`
}

/** PEP 440, appendix B. */
const pep440 = new RegExp(
  '^v?(?:(?<epoch>\\d+)!)?(?<release>\\d+(?:\\.\\d+)*)' +
    '(?:[-_.]?(?<pre>a|b|c|rc|alpha|beta|pre|preview)[-_.]?(?<preNumber>\\d+)?)?' +
    '(?:-(?<postBare>\\d+)|[-_.]?(?<post>post|rev|r)[-_.]?(?<postNumber>\\d+)?)?' +
    '(?:[-_.]?(?<dev>dev)[-_.]?(?<devNumber>\\d+)?)?' +
    '(?:\\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$',
)

type Groups = Readonly<Record<string, string | undefined>>

function pep440Key(groups: Groups): string {
  const { epoch, release, postBare, post, postNumber, dev, devNumber, local } = groups
  const isPost = post !== undefined || postBare !== undefined
  return [
    numberKey(epoch ?? '0'),
    releaseKey((release ?? '').split('.')),
    preReleaseKey(groups, dev !== undefined && !isPost),
    isPost ? `1${numberKey(postBare ?? postNumber ?? '0')}` : '0',
    dev === undefined ? '1' : `0${numberKey(devNumber ?? '0')}`,
    local === undefined ? '0' : `1${localKey(local)}`,
  ].join('')
}

/** 1.0.dev1 sorts below 1.0a1, but 1.0a1.dev1 and 1.0.post1.dev1 sort above it. */
function preReleaseKey({ pre, preNumber }: Groups, isOfRelease: boolean): string {
  if (pre === undefined) return isOfRelease ? '0' : '4'
  return (preReleaseRanks.get(pre) ?? '3') + numberKey(preNumber ?? '0')
}

const preReleaseRanks: ReadonlyMap<string, string> = new Map([
  ['a', '1'],
  ['alpha', '1'],
  ['b', '2'],
  ['beta', '2'],
])

function localKey(local: string): string {
  const segments = local.split(/[-_.]/)
  return segments.map((part) => (/^\d+$/.test(part) ? `1${numberKey(part)}` : `0${wordKey(part)}`)).join('') + end
}

/**
 * Runs of digits and of letters; words sort below numbers. A hyphen counts as the word `final-` except before a
 * pre-release, and zeros before a word do not count.
 */
function legacyKey(version: string): string {
  const parts: string[] = []
  for (const [token] of version.matchAll(/\d+|[a-z]+|-|[^\da-z.-]+/g)) {
    const part = legacyWords.get(token) ?? token
    if (!/^\d/.test(part)) dropBefore(part, parts)
    parts.push(part)
  }
  dropBefore(final, parts)
  return [...parts, final].map((part) => (/^\d/.test(part) ? `1${numberKey(part)}` : `0${wordKey(part)}`)).join('')
}

const final = 'final'
const afterFinal = 'final-'
const legacyWords: ReadonlyMap<string, string> = new Map([
  ['-', afterFinal],
  ['pre', 'c'],
  ['preview', 'c'],
  ['rc', 'c'],
  ['dev', '@'],
])

function dropBefore(word: string, parts: string[]): void {
  if (word < final) while (parts.at(-1) === afterFinal) parts.pop()
  while (isZeroNumber(parts.at(-1))) parts.pop()
}

function isZeroNumber(part: string | undefined): boolean {
  return part !== undefined && isNought(part)
}

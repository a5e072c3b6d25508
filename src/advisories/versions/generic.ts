import { numberKey, releaseKey, wordKey } from './order-key.ts'

/**
 * The order of products without one of their own, such as servers: numbers, then suffixes known to come before a
 * release (`-rc1`, `b2`, `-alpha`) or after it (`p1`, `-SP2`, the letters of OpenSSL 1.0.2k). Additions of a
 * distribution (`-3ubuntu1.2`, `+deb12u1`), and words for an edition or a build (`-fips`, `-MariaDB-log`), do not
 * count.
 */
export function genericKey(text: string): string | null {
  const version = withoutPackaging(text.toLowerCase()).replace(/^v(?=\d)/, '')
  if (!/^\d/.test(version)) return null
  const numbers: string[] = []
  let suffix = ''
  let isCounted = true
  for (const [, digits, word = '', count = ''] of version.matchAll(/(\d+)|([a-z]+)(\d*)/g)) {
    if (digits === undefined) {
      const tag = tagOf(word, count !== '')
      isCounted = tag !== null
      suffix += tag ?? ''
    }
    const number = digits ?? count
    if (number === '' || !isCounted) continue
    if (suffix === '') numbers.push(number)
    else suffix += numberTag + numberKey(number)
  }
  return releaseKey(numbers) + (isBeforeAll.test(version) ? lowestTag : suffix) + endTag
}

/** Semantic Versioning sorts -0 below every pre-release, and advisories use it for "with all pre-releases". */
const isBeforeAll = /^\d+\.\d+\.\d+-0$/

/** Drops epoch, build metadata, a distribution's revision, the name of a commit, and the build of a Java update. */
function withoutPackaging(text: string): string {
  const marker = text.search(distribution)
  const hyphen = marker === -1 ? -1 : text.lastIndexOf('-', marker)
  const upstream = marker === -1 ? text : text.slice(0, hyphen === -1 ? marker : hyphen)
  const version = upstream.replace(/^\d+:/, '').replace(/\+.*$/, '')
  return version.replace(alpineRevision, '').replace(javaBuild, '').replace(commit, '')
}

const distribution = /(?:ubuntu|debian|suse|centos|(?<![a-z])(?:deb|bpo|el|fc|amzn|rhel|sles|mga)\d)/
const alpineRevision = /-r\d+$/
const javaBuild = /(?<=_\d+)-b\d+$/
const commit = /[-.]g?(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}$/

const lowestTag = '0'
const endTag = '5'
const numberTag = '6'
const laterTag = '7'

const earlier: ReadonlyMap<string, string> = new Map([
  ['dev', lowestTag],
  ['snapshot', lowestTag],
  ['nightly', lowestTag],
  ['alpha', '1'],
  ['beta', '2'],
  ['milestone', '3'],
  ['rc', '4'],
  ['cr', '4'],
  ['pre', '4'],
  ['preview', '4'],
])
/** Abbreviations only before a number: 1.0b2 is a beta, 1.0.2b a later letter. */
const earlierShort: ReadonlyMap<string, string> = new Map([
  ['a', '1'],
  ['b', '2'],
  ['m', '3'],
])
const laterNames: ReadonlyMap<string, string> = new Map([
  ['pl', 'p'],
  ['patch', 'p'],
  ['update', 'u'],
  ['hotfix', 'h'],
  ['sp', 'sp'],
])
/** Words for a release, whose number counts as after a dot: 2.7.STABLE9. */
const fillers: ReadonlySet<string> = new Set(['final', 'ga', 'lts', 'release', 'stable'])
/** OpenSSL continued from 0.9.8z to 0.9.8za. */
const laterLetters = /^(?:[a-uwyz]|z[a-z])$/

/** Empty where only the number after the word counts; null where neither does: `jre17`, `v20230217`, `alpine3.19`. */
function tagOf(word: string, hasNumber: boolean): string | null {
  const before = earlier.get(word) ?? (hasNumber ? earlierShort.get(word) : undefined)
  if (before !== undefined) return before
  const later = laterNames.get(word) ?? (laterLetters.test(word) ? word : undefined)
  if (later !== undefined) return laterTag + wordKey(later)
  return fillers.has(word) ? '' : null
}

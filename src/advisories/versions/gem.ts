import { isNought, numberKey, releaseKey, wordKey } from './order-key.ts'

/**
 * Gem::Version: runs of digits and of letters, where a hyphen counts as `.pre.` and letters make a pre-release. Missing
 * numbers are 0, so zeros at the end, and zeros between the numbers and the first letters, do not count.
 */
export function gemKey(text: string): string | null {
  const version = text.replace(/^v(?=\d)/i, '')
  if (!isGemVersion.test(version)) return null
  const segments = version.replaceAll('-', '.pre.').match(/\d+|[a-z]+/gi) ?? []
  const firstWord = segments.findIndex((segment) => !isNumber.test(segment))
  const numbers = firstWord === -1 ? segments : segments.slice(0, firstWord)
  return releaseKey(numbers) + preReleaseKey(firstWord === -1 ? [] : segments.slice(firstWord))
}

const isGemVersion = /^\d[0-9A-Za-z.-]*$/
const isNumber = /^\d/
const endTag = '1'

/**
 * The end stands for an endless row of zeros: zeros followed by a word sort below it, zeros followed by a number above
 * it. So zeros are encoded with what follows them; the fewer there are, the farther it lies from the end.
 */
function preReleaseKey(segments: readonly string[]): string {
  let key = ''
  let zeros = 0
  for (const segment of segments)
    if (!isNumber.test(segment)) {
      key += `0${numberKey(String(zeros))}${wordKey(segment)}`
      zeros = 0
    } else if (isNought(segment)) zeros += 1
    else {
      key += `2${numberKey(String(farthest - zeros))}${numberKey(segment)}`
      zeros = 0
    }
  return key + endTag
}

/** More segments than a text of the longest length has. */
const farthest = 1000

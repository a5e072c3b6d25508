import { isNought, numberKey, releaseKey, wordKey } from './order-key.ts'

/**
 * Gem::Version: runs of digits and of letters, a hyphen being `.pre.`. Letters make a pre-release. What is missing is 0:
 * zeros at the end, and those between the numbers and the first letters, do not count.
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
 * The end stands for zeros without end: zeros and then a word lie below it, zeros and then a number above it. So zeros
 * are told by what follows them, the fewer the farther from the end.
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

/** More than a text of the longest length has segments. */
const farthest = 1000

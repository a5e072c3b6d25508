/**
 * Versions become texts that compare by code units as the versions do: comparing is then one comparison of strings in
 * every ecosystem, and no two pairs of versions can contradict each other. For versions that are equal up to a place,
 * that place in the key holds the same kind of element, so each place needs an order only of its own. Versions contain
 * no spaces, so a space ends a word or a list and sorts below everything that could follow.
 */
export const end = ' '

/** A number of any size in digits: the count of its digits comes first. */
export function numberKey(digits: string): string {
  const significant = digits.replace(leadingZeros, '')
  return String.fromCharCode(space + significant.length) + significant
}

/** The dotted numbers at the start of a version, with an end mark: 1, 1.0 and 1.0.0 are equal and sort below 1.0.1. */
export function releaseKey(numbers: readonly string[]): string {
  const length = numbers.findLastIndex((number) => !isZero.test(number)) + 1
  return numbers.slice(0, length).map(numberKey).join('') + end
}

/** Letters with an end mark: `rc` sorts below `rca`. */
export function wordKey(word: string): string {
  return word + end
}

/** Whether the digits mean zero. */
export function isNought(digits: string): boolean {
  return isZero.test(digits)
}

const space = 0x20
const leadingZeros = /^0+(?=\d)/
const isZero = /^0*$/

/**
 * Versions become texts that compare, code unit by code unit, as the versions do: comparing is then one comparison of
 * strings, whatever the ecosystem, and no pair of versions can contradict another. In a key, the same place holds the
 * same kind of thing for all versions that are equal up to it, so a place needs an order only within itself. Versions
 * have no spaces in them, so a space ends a word or a list, below everything that could go on.
 */
export const end = ' '

/** A number of any size, given in digits: first how many there are, then they. */
export function numberKey(digits: string): string {
  const significant = digits.replace(leadingZeros, '')
  return String.fromCharCode(space + significant.length) + significant
}

/** The dotted numbers that a version begins with, ended: 1, 1.0 and 1.0.0 are the same, and lie below 1.0.1. */
export function releaseKey(numbers: readonly string[]): string {
  const length = numbers.findLastIndex((number) => !isZero.test(number)) + 1
  return numbers.slice(0, length).map(numberKey).join('') + end
}

/** Letters, ended: `rc` lies below `rca`. */
export function wordKey(word: string): string {
  return word + end
}

/** Whether digits are those of zero. */
export function isNought(digits: string): boolean {
  return isZero.test(digits)
}

const space = 0x20
const leadingZeros = /^0+(?=\d)/
const isZero = /^0*$/

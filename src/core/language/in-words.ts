/** A list as a sentence has it: `a`, `a and b`, `a, b and c`. */
export function inWords(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(` ${last} `)
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** A time by its largest unit of which it has two at least: `95 s`, `9 h`, `3 d`. Negative ones keep their sign. */
export function spanInWords(seconds: number): string {
  const whole = Math.round(seconds)
  const length = Math.abs(whole)
  const unit = units.find(([, each]) => length >= 2 * each)
  const shown = unit === undefined ? `${length} s` : `${Math.floor(length / unit[1])} ${unit[0]}`
  return whole < 0 ? `-${shown}` : shown
}

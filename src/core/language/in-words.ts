/** A list as a sentence has it: `a`, `a and b`, `a, b and c`. */
export function inWords(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(` ${last} `)
}

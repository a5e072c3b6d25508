/** A word that differs in more letters is another word. */
const mostEdits = 4

/** The word that is most like a misspelt one; null where none is like it. A word that goes on like another counts as near. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const whole = known.filter((each) => word.startsWith(each)).toSorted((one, other) => other.length - one.length)
  const [best] = known
    .map((each) => ({ each, edits: editsBetween(word, each) }))
    .toSorted((one, other) => one.edits - other.edits)
  if (best !== undefined && best.edits <= mostEdits) return best.each
  return whole[0] ?? null
}

/** Levenshtein's distance: letters that are added, taken away or changed. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let index = 0; index < one.length; index += 1) {
    const next = [index + 1]
    for (let place = 0; place < other.length; place += 1) {
      const changed = (row[place] ?? 0) + (one.charAt(index) === other.charAt(place) ? 0 : 1)
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

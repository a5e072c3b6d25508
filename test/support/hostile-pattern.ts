/** RE2 remembers the last 180 letters of a text for it, so that no state comes twice. */
export const hostilePattern = '[ab]*a[ab]{180}y?$'

/** Drawn without chance, so that each run sees the same million of letters. */
export const hostileText = drawn(1_000_000)

function drawn(length: number): string {
  let state = 7
  const letters = Array.from({ length }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state > 0 ? 'a' : 'b'
  })
  return letters.join('')
}

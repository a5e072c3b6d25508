/** What a monitor is called after so many writes of a caller. */
export function nameOf(number: number): string {
  return `written ${number}`
}

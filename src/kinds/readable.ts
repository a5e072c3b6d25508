/** The beginning of what a server said, safe to store and to show. */
export function readable(received: string, maxLength = 200): string {
  return received
    .slice(0, maxLength)
    .replaceAll(/[^\P{C}\n]/gu, '?')
    .trim()
}

/** Other people's words within a text of ours. */
export function quoted(received: string): string {
  return `"${readable(received, 100)}"`
}

/** What is found for the longest ending of a domain, from all but its first label on; null when for none. */
export function longestSuffix(domain: string, find: (name: string) => string | undefined): string | null {
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1)) {
    const found = find(domain.slice(dot + 1))
    if (found !== undefined) return found
  }
  return null
}

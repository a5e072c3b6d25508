/** A name as an address tells it: "Olivia Park" of olivia.park@example.com; "" of an address that tells none. */
export function proposedName(email: string): string {
  const [before = '', domain = ''] = email.trim().split('@')
  if (!domain.includes('.')) return ''
  const words = before.replace(/\+.*$/, '').split(/[._-]+/)
  return words.every((word) => /^\p{L}+$/u.test(word)) ? words.map(capitalised).join(' ') : ''
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

const [fewest, most] = [3, 63]

/** Addresses that a status page of this name could have, the best first; none for a name without any letter from a to z. */
export function proposedAddresses(name: string): string[] {
  const base = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, most - longestEnding)
    .replaceAll(/^-+|-+$/g, '')
  return base === '' ? [] : endings.map((ending) => base + ending).filter((slug) => slug.length >= fewest)
}

const endings = ['', '-status', '-2', '-3'] as const
const longestEnding = 7

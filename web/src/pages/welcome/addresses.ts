import { isNameChosen } from './steps.ts'

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

/** The name of the workspace, if a person chose it; else the host of the first website that readers may know. */
export function proposedTitle(name: string, shown: readonly { url: string | null }[]): string {
  if (isNameChosen(name)) return name
  const hosts = shown.flatMap(({ url }) => URL.parse(url ?? '')?.hostname || [])
  return hosts[0]?.replace(/^www\./, '') ?? name
}

const endings = ['', '-status', '-2', '-3'] as const
const longestEnding = 7

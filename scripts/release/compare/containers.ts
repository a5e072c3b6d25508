// Reads the archives that a release is made of: tar (POSIX.1-1988 ustar, and what dpkg-deb writes) and ar (deb(5)).

/** A member of an archive. Its facts are all that is said of it beside its name and its bytes. */
export type Part = { name: string; facts: string; bytes: Buffer }

const block = 512
/** The fields of a header after the name and the size: where each begins and how long it is. */
const tarFacts = [
  ['mode', 100, 8],
  ['user', 108, 8],
  ['group', 116, 8],
  ['time', 136, 12],
  ['type', 156, 1],
  ['target', 157, 100],
  ['user name', 265, 32],
  ['group name', 297, 32],
] as const

export function partsOfTar(bytes: Buffer): Part[] {
  const parts: Part[] = []
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0;) {
    const header = bytes.subarray(at, at + block)
    const size = Number.parseInt(textOf(header, 124, 12), 8)
    const names = [textOf(header, 345, 155), textOf(header, 0, 100)]
    parts.push({
      name: names.filter((each) => each !== '').join('/'),
      facts: tarFacts.map(([name, from, length]) => `${name} ${textOf(header, from, length)}`).join(', '),
      bytes: bytes.subarray(at + block, at + block + size),
    })
    at += block + Math.ceil(size / block) * block
  }
  return parts
}

const arHeader = 60

export function partsOfAr(bytes: Buffer): Part[] {
  const parts: Part[] = []
  for (let at = 8; at + arHeader <= bytes.length;) {
    const header = bytes.subarray(at, at + arHeader)
    const size = Number(textOf(header, 48, 10))
    parts.push({
      name: textOf(header, 0, 16),
      facts: `time ${textOf(header, 16, 12)}, user ${textOf(header, 28, 6)}, group ${textOf(header, 34, 6)}, mode ${textOf(header, 40, 8)}`,
      bytes: bytes.subarray(at + arHeader, at + arHeader + size),
    })
    at += arHeader + size + (size % 2)
  }
  return parts
}

function textOf(header: Buffer, from: number, length: number): string {
  const text = header.subarray(from, from + length).toString('utf8')
  return text.split('\0', 1)[0]?.trim() ?? ''
}

// Object identifiers (ITU-T X.690 8.19).

/** RFC 3416 2.1 lets one have 128 numbers, each of 32 bits. */
const maxNumbers = 128
const maxNumber = 0xffffffff

/** The numbers of a text such as `1.3.6.1.2.1.1.3.0`; null for any other text. A dot may lead. */
export function parseObjectId(text: string): number[] | null {
  if (!/^\.?\d{1,10}(?:\.\d{1,10})+$/.test(text)) return null
  const numbers = text.replace(/^\./, '').split('.').map(Number)
  const [first = 0, second = 0] = numbers
  if (first > 2 || (first < 2 && second > 39)) return null
  return numbers.length <= maxNumbers && numbers.every((number) => number <= maxNumber) ? numbers : null
}

export function encodeObjectId([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  return Buffer.from([first * 40 + second, ...rest].flatMap(inSevenBits))
}

/** As text with dots; null where it cannot be read. */
export function readObjectId(content: Buffer): string | null {
  const numbers: number[] = []
  let number = 0
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f)
    if (number > maxNumber + 80 || numbers.length === maxNumbers) return null
    if (byte < 0x80) {
      numbers.push(number)
      number = 0
    }
  }
  const [head, ...rest] = numbers
  if (head === undefined || (content.at(-1) ?? 0) >= 0x80) return null
  const first = Math.min(2, Math.floor(head / 40))
  return [first, head - first * 40, ...rest].join('.')
}

function inSevenBits(number: number): number[] {
  const bytes = [number % 128]
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(128 + (rest % 128))
  return bytes
}

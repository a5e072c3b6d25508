// Every way in which somebody may change a file of lines, drawn from a seed.

export type Edit = { what: string; text: string }

/** At most `count` edits, each of which differs from the text. The same seed makes the same ones. */
export function editsOf(text: string, { count, seed }: { count: number; seed: number }): Edit[] {
  const draw = drawing(seed)
  const edits: Edit[] = []
  while (edits.length < count) {
    const [what, edit] = ways[draw(ways.length)] ?? ways[0]
    const edited = edit(text, draw)
    if (edited !== text) edits.push({ what: `${what}, edit ${edits.length} of seed ${seed}`, text: edited })
  }
  return edits
}

type Draw = (below: number) => number
type Way = readonly [what: string, edit: (text: string, draw: Draw) => string]

const ways: readonly [Way, ...Way[]] = [
  ['a bit flipped', flipBit],
  ['a character replaced', (text, draw) => spliced(text, draw(text.length), { removed: 1, added: anyCharacter(draw) })],
  ['a character removed', (text, draw) => spliced(text, draw(text.length), { removed: 1, added: '' })],
  [
    'a character added',
    (text, draw) => spliced(text, draw(text.length + 1), { removed: 0, added: anyCharacter(draw) }),
  ],
  ['a number changed', changeNumber],
  ['a line removed', (text, draw) => editLines(text, (lines) => lines.splice(draw(lines.length), 1))],
  [
    'a line doubled',
    (text, draw) =>
      editLines(text, (lines) => {
        const at = draw(lines.length)
        lines.splice(at, 0, lines[at] ?? '')
      }),
  ],
  ['two lines swapped', swapLines],
  ['the end cut off', (text, draw) => text.slice(0, draw(text.length))],
  ['a member moved', swapMembers],
]

function flipBit(text: string, draw: Draw): string {
  const bytes = Buffer.from(text, 'latin1')
  const at = draw(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << draw(8))
  return bytes.toString('latin1')
}

/** To another number of as many digits, or one more. */
function changeNumber(text: string, draw: Draw): string {
  const numbers = [...text.matchAll(/(?<=:)\d+/g)]
  const found = numbers[draw(numbers.length)]
  if (found === undefined) return text
  return spliced(text, found.index, { removed: found[0].length, added: String(draw(10 ** (found[0].length + 1))) })
}

function swapLines(text: string, draw: Draw): string {
  return editLines(text, (lines) => {
    const [one, other] = [draw(lines.length), draw(lines.length)]
    ;[lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? '']
  })
}

/** The same content in another order, which a reader that only parses would take for the same. */
function swapMembers(text: string, draw: Draw): string {
  return editLines(text, (lines) => {
    const at = draw(lines.length)
    const parsed: unknown = JSON.parse(lines[at] ?? '{}')
    lines[at] = JSON.stringify(Object.fromEntries(Object.entries(Object(parsed)).toReversed()))
  })
}

function editLines(text: string, edit: (lines: string[]) => void): string {
  const lines = text.split('\n').slice(0, -1)
  edit(lines)
  return lines.map((line) => `${line}\n`).join('')
}

function spliced(text: string, at: number, { removed, added }: { removed: number; added: string }): string {
  return text.slice(0, at) + added + text.slice(at + removed)
}

function anyCharacter(draw: Draw): string {
  return String.fromCharCode(32 + draw(95))
}

/** Mulberry32, by Tommy Ettinger. */
function drawing(seed: number): Draw {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

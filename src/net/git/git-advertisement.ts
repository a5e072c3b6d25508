import { readPackets } from './git-packets.ts'

/** What the names in a repository point to. Objects are named by 40 or 64 hexadecimal digits. */
export type RefList = {
  /** Object names by full names, such as refs/heads/main. */
  objects: ReadonlyMap<string, string>
  /** The full name of HEAD's branch, whether it exists or not; null when the server does not say. */
  head: string | null
}

/** The answer to the first request: the list itself, or the capabilities of a server of protocol 2 by name. */
export type Advertisement =
  | { type: 'refs'; refs: RefList }
  | { type: 'capabilities'; capabilities: ReadonlyMap<string, string> }
  | { type: 'error'; words: string }

/** gitprotocol-http, "Discovering References"; null when the bytes are no advertisement. */
export function readAdvertisement(bytes: Uint8Array): Advertisement | null {
  const packets = readPackets(bytes)
  if (packets === null) return null
  const said = packets.filter((packet) => packet !== null)
  const lines = said.filter((line) => !line.startsWith(serviceLine))
  const [first] = lines
  // Before protocol 2, an empty repository sends nothing after the name of the service.
  if (first === undefined) return said.length === 0 ? null : { type: 'refs', refs: { objects: new Map(), head: null } }
  if (first.startsWith(errorLine)) return { type: 'error', words: first.slice(errorLine.length) }
  if (first === 'version 2') return { type: 'capabilities', capabilities: readCapabilities(lines.slice(1)) }
  return readOldList(first === 'version 1' ? lines.slice(1) : lines)
}

/** gitprotocol-v2, "ls-refs"; null when the bytes are no such answer. */
export function readRefList(bytes: Uint8Array): RefList | { error: string } | null {
  const packets = readPackets(bytes)
  if (packets?.at(-1) !== null) return null
  const objects = new Map<string, string>()
  let head: string | null = null
  for (const line of packets) {
    if (line === null) continue
    if (line.startsWith(errorLine)) return { error: line.slice(errorLine.length) }
    const [object = '', name = '', ...attributes] = line.split(' ', mostWords)
    const isUnborn = object === 'unborn'
    if (name === '' || !(isUnborn || isObjectName(object))) return null
    if (!isUnborn) objects.set(name, object)
    if (name === 'HEAD') head = attributeOf(attributes, 'symref-target:')
  }
  return { objects, head }
}

/** Of one line: servers write up to twenty. */
const mostWords = 200
const serviceLine = '# service='
const errorLine = 'ERR '

function readCapabilities(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.map((line) => {
      const equals = line.indexOf('=')
      return equals === -1 ? [line, ''] : [line.slice(0, equals), line.slice(equals + 1)]
    }),
  )
}

/** gitprotocol-pack, "Reference Discovery": capabilities follow a NUL in the first line. */
function readOldList(lines: readonly string[]): Advertisement | null {
  const objects = new Map<string, string>()
  let head: string | null = null
  for (const [at, line] of lines.entries()) {
    const [ref = '', capabilities = ''] = at === 0 ? line.split('\0') : [line]
    if (ref.startsWith('shallow ')) continue
    const space = ref.indexOf(' ')
    const [object, name] = [ref.slice(0, Math.max(0, space)), ref.slice(space + 1)]
    if (!isObjectName(object) || name === '') return null
    if (at === 0) head = attributeOf(capabilities.split(' ', mostWords), 'symref=HEAD:')
    if (!name.endsWith('^{}')) objects.set(name, object)
  }
  return { type: 'refs', refs: { objects, head } }
}

function attributeOf(attributes: readonly string[], prefix: string): string | null {
  return attributes.find((attribute) => attribute.startsWith(prefix))?.slice(prefix.length) ?? null
}

function isObjectName(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

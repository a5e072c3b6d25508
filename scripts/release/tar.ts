// Writes the "ustar" format of POSIX.1-2017, pax, "ustar Interchange Format". GNU tar would do as well, but the tar of macOS
// has no options for names in order and fixed owners, and a release is built the same on both.
import { type Entry, arranged } from './entries.ts'

const blockBytes = 512
const typeFlags = { file: '0', link: '2', folder: '5' } as const

/** The archive in pieces. The same entries and time make the same bytes. Times are Unix seconds. */
export function* tarOf(entries: readonly Entry[], modifiedAt: number): Generator<Buffer> {
  for (const entry of arranged(entries)) {
    yield headerOf(entry, modifiedAt)
    if (entry.type !== 'file') continue
    yield entry.bytes
    yield Buffer.alloc((blockBytes - (entry.bytes.length % blockBytes)) % blockBytes)
  }
  yield Buffer.alloc(2 * blockBytes)
}

function headerOf(entry: Entry, modifiedAt: number): Buffer {
  const header = Buffer.alloc(blockBytes)
  const text = (at: number, bytes: number, value: string): void => void header.write(value, at, bytes, 'utf8')
  const octal = (at: number, bytes: number, value: number): void =>
    text(at, bytes, `${value.toString(8).padStart(bytes - 1, '0')}\0`)
  const { name, prefix } = split(entry.type === 'folder' ? `${entry.path}/` : entry.path)
  text(0, 100, name)
  octal(100, 8, entry.mode)
  octal(108, 8, entry.owner ?? 0)
  octal(116, 8, entry.owner ?? 0)
  octal(124, 12, entry.type === 'file' ? entry.bytes.length : 0)
  octal(136, 12, modifiedAt)
  text(156, 1, typeFlags[entry.type])
  if (entry.type === 'link') {
    if (Buffer.byteLength(entry.target) > 100) throw new Error(`${entry.path} links to a name of more than 100 bytes.`)
    text(157, 100, entry.target)
  }
  text(257, 8, 'ustar\x0000')
  octal(329, 8, 0)
  octal(337, 8, 0)
  text(345, 155, prefix)
  // The sum counts its own field as spaces.
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  text(148, 8, `${sum.toString(8).padStart(6, '0')}\0 `)
  return header
}

/** A name has 100 bytes, and 155 more for the folders before it. */
function split(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: '' }
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (name !== '' && Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return { name, prefix }
  }
  throw new Error(`${path} is too long for an archive.`)
}

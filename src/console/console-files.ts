import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** A file of the built console, with what was compressed when it was built. */
export type ConsoleFile = {
  type: string
  /** Whether its name holds a hash: a file of this name never changes. */
  isImmutable: boolean
  /** Without quotes. */
  tag: string
  plain: Buffer<ArrayBuffer>
  br: Buffer<ArrayBuffer> | null
  gzip: Buffer<ArrayBuffer> | null
}

/** By the path below the folder, with slashes. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/**
 * Reads the whole folder, which is one or two megabytes: what is served is of one build, even while another one takes
 * its place, and no path of a request ever reaches the file system. Null when there is no build.
 */
export async function readConsoleFiles(folder: string): Promise<ConsoleFiles | null> {
  const names = await namesBelow(folder)
  if (!names.includes('index.html')) return null
  const served = names.filter((name) => extname(name) in types)
  const pairs = served.map(async (name) => {
    const file = await readConsoleFile(folder, name, names)
    return [name.split(sep).join('/'), file] as const
  })
  return new Map(await Promise.all(pairs))
}

/** One that is made as the process starts, some kilobytes. */
export function makeConsoleFile(type: string, text: string): ConsoleFile {
  const plain = Buffer.from(text)
  return { type, isImmutable: false, tag: tagOf(plain), plain, br: brotliCompressSync(plain), gzip: gzipSync(plain) }
}

async function namesBelow(folder: string): Promise<string[]> {
  try {
    return await readdir(folder, { recursive: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

async function readConsoleFile(folder: string, name: string, names: readonly string[]): Promise<ConsoleFile> {
  const read = (suffix: string): Promise<Buffer<ArrayBuffer>> => readFile(join(folder, name + suffix))
  const readIf = async (suffix: string): Promise<Buffer<ArrayBuffer> | null> =>
    names.includes(name + suffix) ? read(suffix) : null
  const [plain, br, gzip] = await Promise.all([read(''), readIf('.br'), readIf('.gz')])
  return {
    type: types[extname(name)] ?? 'application/octet-stream',
    isImmutable: name.startsWith(`assets${sep}`),
    tag: tagOf(plain),
    plain,
    br,
    gzip,
  }
}

function tagOf(plain: Buffer): string {
  return createHash('sha256').update(plain).digest('base64url').slice(0, 22)
}

// The key with which a location signs the history as well, and what it remembers, in one file: a key whose memory is
// lost could sign a second head for a day.
import { generateKeyPairSync } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type CountersignMemory, countersignMemorySchema } from '#core/proofs/countersign.ts'
import type { SigningPair } from '#core/proofs/signature.ts'

const pairSchema = z.strictObject({ x: z.string().regex(/^[\w-]{43}$/), d: z.string().regex(/^[\w-]{43}$/) })
const contentSchema = z.strictObject({ key: pairSchema, memory: countersignMemorySchema.nullable() })

export type CountersignFile = {
  pair: SigningPair
  /** Null before the first head is signed. Throws where the file is not what this process has written last. */
  read: () => CountersignMemory | null
  /** On the disk when this returns. */
  write: (memory: CountersignMemory) => void
}

/** The file cannot be used; the message says why, for the operator. */
export class CountersignFileError extends Error {}

/** Makes the key, and the file, where there is none. */
export function openCountersignFile(path: string): CountersignFile {
  if (!existsSync(path)) save(path, textOf({ key: newPair(), memory: null }))
  const { key, memory } = contentOf(path, readText(path))
  let text = textOf({ key, memory })
  return {
    pair: key,
    read: () => {
      const found = contentOf(path, readText(path))
      // Two processes with one key would not know what the other has signed.
      if (textOf(found) !== text) throw new CountersignFileError(`Another process writes ${path}.`)
      return found.memory
    },
    write: (next) => {
      const written = textOf({ key, memory: next })
      save(path, written)
      text = written
    },
  }
}

function textOf(content: z.infer<typeof contentSchema>): string {
  return `${JSON.stringify(content)}\n`
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CountersignFileError(`${path} cannot be read: ${String(error)}`, { cause: error })
  }
}

function contentOf(path: string, text: string): z.infer<typeof contentSchema> {
  try {
    return contentSchema.parse(JSON.parse(text))
  } catch (error) {
    const advice = 'Restore it as it was last, or remove it, and the location gets another key.'
    throw new CountersignFileError(`${path} is damaged, and what was signed is not known. ${advice}`, { cause: error })
  }
}

/** Beside the file first, so that a power cut leaves the one or the other. */
function save(path: string, text: string): void {
  const beside = `${path}.new`
  try {
    writeDurably(beside, text)
    renameSync(beside, path)
    syncFolder(dirname(path))
  } catch (error) {
    throw new CountersignFileError(`${path} cannot be written: ${String(error)}`, { cause: error })
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function newPair(): SigningPair {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return pairSchema.parse({ x, d })
}

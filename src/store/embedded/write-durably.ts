import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a small private file (0600) that is there whole or not at all, also after a power cut. */
export function writeDurably(file: string, content: string): void {
  const temporary = `${file}.new`
  const descriptor = openSync(temporary, 'w', 0o600)
  try {
    writeSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(temporary, file)
  flushFolder(dirname(file))
}

function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

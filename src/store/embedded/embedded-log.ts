import { copyFileSync, statSync, truncateSync } from 'node:fs'

const maxLogBytes = 4 * 1024 * 1024

/**
 * The server appends to the file it was given, so it can be cut while it writes. One older part is kept. Where the disk
 * takes nothing, the file stays as it is until the next time.
 */
export function boundLog(file: string): void {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= maxLogBytes) return
    copyFileSync(file, `${file}.1`)
    truncateSync(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

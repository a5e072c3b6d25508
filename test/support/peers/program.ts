import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a program of the machine is, also one that only root has in its path or a plugin; null when not installed. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin', '/usr/lib/nagios/plugins']
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

import { readFileSync } from 'node:fs'

/** The version of this release, as package.json says it. */
export function readRelease(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(version)
}

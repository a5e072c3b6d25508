import { readFileSync } from 'node:fs'

/** The version of this release, as package.json says it. */
export function readRelease(): string {
  return String(readPackage().version)
}

/** How commands are called here: a checkout runs them by npm, and the package.json of a released Perigee has no scripts. */
export function ownCommand(): string {
  return readPackage().scripts?.['perigee'] === undefined ? 'perigee' : 'npm run perigee --'
}

/** Which releases of Node run Perigee, as package.json says it: `>=24.1.0`. Empty where it says nothing. */
export function readNeededNode(): string {
  return readPackage().engines?.['node'] ?? ''
}

function readPackage(): { version: unknown; engines?: Record<string, string>; scripts?: Record<string, string> } {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
}

// What an install may run, and what it may take without a checksum. npm asks the same list (`strict-allow-scripts` in
// .npmrc), but only from version 11.16 on, and only for the packages of the machine's own system.
import type { Locked } from './locked.ts'

/** The members of `allowScripts` in package.json: true runs a package's scripts, false says that it does without them. */
export type Decisions = Readonly<Record<string, boolean>>

/** A sentence for each package with scripts on which package.json says nothing, and for each decision about none. */
export function installScriptProblems(packages: readonly Locked[], decisions: Decisions): string[] {
  const withScripts = new Set(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name))
  const undecided = [...withScripts].filter((name) => decisions[name] === undefined)
  const idle = Object.keys(decisions).filter((name) => !withScripts.has(name))
  return [
    ...undecided.map((name) => `${name} has an install script, and allowScripts in package.json does not name it.`),
    ...idle.map((name) => `allowScripts in package.json names ${name}, which is not locked or has no install script.`),
  ]
}

/** Only parts for other systems, which the registry lacked when the lock file was made, may have no checksum. */
export function checksumProblems(packages: readonly Locked[]): string[] {
  return packages
    .filter(({ integrity, isOptional }) => integrity === null && !isOptional)
    .map(({ name, version }) => `${name}@${version} has no checksum in the lock file.`)
}

// What an artefact has that is neither of npm nor a program: the packages of Debian, and data that were generated from
// others' into our sources.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DebianPackage } from '../debian-tar.ts'
import { root } from '../release-facts.ts'
import { type Component, licencesOf } from './components.ts'

/** Their licences are in the image, in /usr/share/doc; Debian has no list of them by SPDX. */
export function debianComponents(packages: readonly DebianPackage[]): Component[] {
  return packages.map(({ name, version, architecture }) => ({
    type: 'library',
    'bom-ref': `debian ${name}`,
    name,
    version,
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=bookworm`,
  }))
}

/** The beginning of each generated file names its source. */
const dataFiles = [
  {
    file: 'src/kinds/domain/whois-servers.ts',
    source: /npm package (?<name>\S+) (?<version>[\d.]+), licence (?<licence>[\w.-]+),/,
  },
  { file: 'src/fingerprints/library-rules.ts', source: /The patterns of (?<name>\S+) \(\S+, (?<licence>[\w.-]+)\)/ },
]

export function dataComponents(read: (file: string) => string = readSource): Component[] {
  return dataFiles.map(({ file, source }) => dataComponent(file, source.exec(read(file))?.groups ?? {}))
}

function dataComponent(file: string, { name, version, licence }: Readonly<Record<string, string>>): Component {
  if (name === undefined || licence === undefined) throw new Error(`${file} does not say where its data are from.`)
  return {
    type: 'data',
    'bom-ref': `data ${name}`,
    name,
    ...(version === undefined ? {} : { version }),
    ...licencesOf(licence),
  }
}

function readSource(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

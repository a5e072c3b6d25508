import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { completeParts, debianParts, npmPackageParts, sdkParts, siteParts } from './bill/artefact-parts.ts'
import { assertBill } from './bill/bill-schema.ts'
import { type Billed, billOf, together } from './bill/bill.ts'
import type { Parts } from './bill/components.ts'
import { archiveEntries, archiveName, completeEntries } from './archive.ts'
import { inMegabytes, megabytes, sha256, writeTarGz } from './artefact.ts'
import { debianName, writeDebian } from './debian.ts'
import { debianPackages } from './debian-tar.ts'
import { type Entry, sizeOf } from './entries.ts'
import { imageName, writeImage } from './image.ts'
import { imageBase } from './image-base.ts'
import { PackageMissing } from './locked-packages.ts'
import { npmEntries, npmName } from './npm-package.ts'
import { type Platform, platforms } from './platforms.ts'
import { packageFacts, programEntries } from './program.ts'
import { release } from './release-facts.ts'
import { sdkEntries, sdkName } from './sdk-package.ts'
import { siteEntries, siteName } from './site.ts'

export const artefactKinds = ['archive', 'npm', 'sdk', 'image', 'deb', 'docs'] as const
export type ArtefactKind = (typeof artefactKinds)[number]
export type Artefact = { kind: ArtefactKind | 'sbom'; file: string; platform: Platform | null }

const sumsFile = 'SHA256SUMS'

type Build = { folder: string; time: number; program: readonly Entry[]; kinds: readonly ArtefactKind[] }

/** Builds what is wanted and what this machine can build, and says what it leaves out. */
export async function buildRelease({
  folder,
  time,
  kinds,
  platformNames,
}: {
  folder: string
  time: number
  kinds: readonly ArtefactKind[]
  platformNames: readonly string[]
}): Promise<Artefact[]> {
  emptyFolder(folder)
  const program = await programEntries(packageFacts())
  const build: Build = { folder, time, program, kinds }
  const made: Artefact[] = []
  if (kinds.includes('npm')) made.push(...(await buildNpm(build)))
  if (kinds.includes('sdk')) made.push(...(await buildSdkPackage(build)))
  if (kinds.includes('docs')) made.push(...(await buildSite(build)))
  for (const platform of platforms.filter(({ name }) => platformNames.includes(name)))
    made.push(...(await buildPlatform(build, platform)))
  const sums = made.map(({ file }) => `${sha256(file)}  ${basename(file)}\n`).toSorted()
  writeFileSync(join(folder, sumsFile), sums.join(''))
  return made
}

/** Only an earlier release is deleted. */
export function emptyFolder(folder: string): void {
  const files = existsSync(folder) ? readdirSync(folder) : []
  if (files.length > 0 && !files.includes(sumsFile))
    throw new Error(`${folder} holds something else than a release: there is no ${sumsFile} in it.`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, sumsFile), '')
}

async function buildNpm({ folder, time, program }: Build): Promise<Artefact[]> {
  const file = join(folder, npmName())
  const entries = npmEntries(program)
  await writeTarGz(file, entries, time)
  console.log(`${basename(file)}: ${megabytes(file)}, unpacked ${inMegabytes(sizeOf(entries))}`)
  const facts = factsOf('application', `pkg:npm/perigee@${release.version}`)
  return billed({ kind: 'npm', file, platform: null }, { facts, parts: npmPackageParts(program), time })
}

async function buildSdkPackage({ folder, time }: Build): Promise<Artefact[]> {
  const file = join(folder, sdkName())
  const entries = sdkEntries()
  await writeTarGz(file, entries, time)
  console.log(`${basename(file)}: ${inKilobytes(statSync(file).size)}, unpacked ${inKilobytes(sizeOf(entries))}`)
  const facts = factsOf('library', `pkg:npm/%40perigee/sdk@${release.version}`, '@perigee/sdk')
  return billed({ kind: 'sdk', file, platform: null }, { facts, parts: sdkParts, time })
}

function inKilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000)} kB`
}

async function buildSite({ folder, time }: Build): Promise<Artefact[]> {
  const file = join(folder, `${siteName()}.tar.gz`)
  const entries = siteEntries()
  await writeTarGz(file, entries, time)
  console.log(`${basename(file)}: ${megabytes(file)}, unpacked ${inMegabytes(sizeOf(entries))}`)
  const facts = factsOf('file', `pkg:generic/perigee-docs@${release.version}`, 'perigee-docs')
  return billed({ kind: 'docs', file, platform: null }, { facts, parts: siteParts(), time })
}

async function buildPlatform(build: Build, platform: Platform): Promise<Artefact[]> {
  try {
    const complete = completeEntries(platform, build.program)
    const made: Artefact[] = []
    for (const kind of build.kinds) made.push(...(await buildKind(kind, { build, platform, complete })))
    return made
  } catch (error) {
    if (!(error instanceof PackageMissing)) throw error
    console.log(`${archiveName(platform)} is left out. ${error.message}`)
    return []
  }
}

async function buildKind(
  kind: ArtefactKind,
  { build, platform, complete }: { build: Build; platform: Platform; complete: readonly Entry[] },
): Promise<Artefact[]> {
  const { folder, time, program } = build
  const parts = (): Parts => completeParts(platform, { program, complete })
  const finish = (
    name: string,
    { told, ...bill }: { told: string; facts: Facts; parts: Parts },
  ): Promise<Artefact[]> => {
    console.log(`${name}: ${megabytes(join(folder, name))}${told}`)
    return billed({ kind, file: join(folder, name), platform }, { ...bill, time })
  }
  switch (kind) {
    case 'archive': {
      const name = `${archiveName(platform)}.tar.gz`
      await writeTarGz(join(folder, name), archiveEntries(platform, complete), time)
      const facts = factsOf('application', `pkg:generic/perigee@${release.version}?platform=${platform.name}`)
      return finish(name, { told: `, unpacked ${inMegabytes(sizeOf(complete))}`, facts, parts: parts() })
    }
    case 'image': {
      const name = imageName(platform)
      // The Debian of another processor is made on a machine that has one.
      if (platform.debian === null || !isOwn(platform)) return []
      if (!canRun('mmdebstrap')) return leftOut(name, 'mmdebstrap')
      const base = imageBase(platform.debian)
      const digest = await writeImage(join(folder, name), { base, platform, complete, time })
      const facts = factsOf('container', `pkg:oci/perigee?arch=${platform.debian}&tag=${release.version}`)
      return finish(name, { told: `, ${digest}`, facts, parts: together(parts(), debianParts(debianPackages(base))) })
    }
    case 'deb': {
      if (platform.debian === null) return []
      const name = debianName(platform)
      if (!canRun('dpkg-deb')) return leftOut(name, 'dpkg-deb')
      writeDebian(join(folder, name), { platform, complete, time })
      const facts = factsOf('application', `pkg:deb/perigee@${release.version}?arch=${platform.debian}`)
      return finish(name, { told: '', facts, parts: parts() })
    }
    case 'npm':
    case 'sdk':
    case 'docs':
      return []
  }
}

type Facts = Pick<Billed, 'type' | 'name' | 'purl'>

function factsOf(type: Facts['type'], purl: string, name = 'perigee'): Facts {
  return { type, name, purl }
}

/** The artefact, and its bill of materials beside it. */
async function billed(
  artefact: Artefact,
  { facts, parts, time }: { facts: Facts; parts: Parts; time: number },
): Promise<Artefact[]> {
  const { file, platform } = artefact
  const bill = billOf({ ...facts, sha256: sha256(file), file: basename(file) }, parts, time)
  await assertBill(bill)
  const billFile = `${file}.cdx.json`
  writeFileSync(billFile, `${JSON.stringify(bill, null, 2)}\n`)
  return [artefact, { kind: 'sbom', file: billFile, platform }]
}

function isOwn({ name }: Platform): boolean {
  return name === `${process.platform}-${process.arch}`
}

function canRun(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
}

function leftOut(name: string, program: string): [] {
  console.log(`${name} is left out: there is no ${program} here.`)
  return []
}

// `npm run images`, as root where Chromium is missing: photographs every page of a believable workspace into
// docs/images/gallery, which git ignores, and renews the pictures in docs/images, which are those that documents show.
// With names of pages, such as `npm run images -- monitor status`, it takes those alone.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { consolePaths } from '#console/console-routes.ts'
import { installPackages } from './debian-packages.ts'
import { type Picture, startCamera } from './docs-images/camera.ts'
import { before } from './docs-images/company.ts'
import { filesOf, writeIndex } from './docs-images/index-page.ts'
import { linksOf } from './docs-images/links.ts'
import { type Shot, shotsOf } from './docs-images/pages.ts'
import { type Service, withService } from './docs-images/service.ts'
import { keepShownAlone, renewShown } from './docs-images/shown-pictures.ts'
import { tell } from './docs-images/workspace.ts'
import { galleryFolder, root } from './docs-links.ts'

const folder = join(root, galleryFolder)
/** The deadline of the whole run, with a slow machine in mind. */
const deadlineMs = 30 * 60_000

/** They lead to another address. */
const leading: ReadonlySet<string> = new Set(['/', '/settings'])

const wanted = process.argv.slice(2)
installPackages(['chromium'])
execFileSync(process.execPath, [fileURLToPath(new URL('./build-web.ts', import.meta.url))], {
  stdio: 'inherit',
  timeout: 120_000,
})
mkdirSync(folder, { recursive: true })
await withService(before({ days: 400 }), (service) => Promise.race([photograph(service), interrupted()]))

async function photograph(service: Service): Promise<void> {
  const shots = shotsOf(await linksOf(service, await tell(service)))
  assertWhole(shots)
  const unknown = wanted.filter((name) => shots.every((shot) => shot.name !== name))
  if (unknown.length > 0) throw new Error(`There is no page ${unknown.join(', ')}.`)
  const camera = await startCamera(folder, service.frontPort)
  try {
    for (const shot of shots.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
      const pictures = await camera.shoot(shot).catch((cause: unknown) => fail(shot, cause))
      report(shot, pictures)
      renewShown(pictures.map(({ file }) => file))
    }
  } finally {
    await camera.close()
  }
  writeIndex(folder, shots)
  if (wanted.length > 0) return
  removeOthers(shots)
  keepShownAlone()
}

/** Throws where the console has an address that nobody photographs. */
function assertWhole(shots: readonly Shot[]): void {
  const paths = shots.map(({ path }) => path.replace(/[?#].*$/, ''))
  const missing = consolePaths.filter((pattern) => {
    const form = new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`)
    return !leading.has(pattern) && !paths.some((path) => form.test(path))
  })
  if (missing.length > 0) throw new Error(`No picture is taken of ${missing.join(', ')}.`)
}

/** Rejects when time is up or somebody stops this, so that everything that was started is ended. */
function interrupted(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  setTimeout(() => reject(new Error(`It took more than ${deadlineMs / 60_000} minutes.`)), deadlineMs).unref()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => reject(new Error(`Stopped by ${signal}.`)))
  return promise
}

function report({ name }: Shot, pictures: readonly Picture[]): void {
  console.log(`${name}: ${pictures.map(({ bytes }) => `${(bytes / 1000).toFixed(0)} kB`).join(', ')}`)
}

function fail({ name, path }: Shot, cause: unknown): never {
  throw new Error(`The page ${name} (${path}) could not be photographed: ${String(cause)}`, { cause })
}

/** Removes the pictures of pages that are no more. */
function removeOthers(shots: readonly Shot[]): void {
  const known = new Set(['README.md', ...shots.flatMap(filesOf)])
  for (const file of readdirSync(folder)) if (!known.has(file)) rmSync(join(folder, file))
  console.log(`${shots.length} pages in ${galleryFolder}`)
}

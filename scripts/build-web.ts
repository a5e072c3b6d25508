// Builds the console into web/dist, unless what is there was made from the sources as they are:
//
//   node scripts/build-web.ts            as `npm run build:web`, and after `npm ci`
//   node scripts/build-web.ts --start    before `npm start`: what cannot be built is told, and the start goes on
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const web = join(root, 'web')
const output = join(web, 'dist')
const stamp = join(output, 'sources.txt')
const compressed = new Set(['.html', '.js', '.css', '.svg'])
/** Smaller ones fit into one packet anyway. */
const smallestBytes = 1024

const isStart = process.argv.includes('--start')
// An image that brings the build along brings no sources.
const sources = existsSync(join(web, 'index.html')) ? hashOfSources() : null
if (sources !== null && !isFresh(sources)) process.exitCode = await buildOrTell(sources)

async function buildOrTell(hash: string): Promise<number> {
  if (!existsSync(join(root, 'node_modules', 'vite', 'package.json'))) {
    const what = existsSync(output) ? 'The console is of an older release' : 'There will be no console'
    console.error(`${what}: building it takes "npm ci" without --omit=dev.`)
    return 0
  }
  try {
    await build(hash)
    return 0
  } catch (error) {
    console.error(`The console could not be built: ${error instanceof Error ? error.message : String(error)}`)
    return isStart ? 0 : 1
  }
}

/** Beside the present one, whose place it takes when it is whole. */
async function build(hash: string): Promise<void> {
  const began = performance.now()
  const { build: bundle } = await import('vite')
  const next = mkdtempSync(join(web, '.dist-'))
  try {
    const made = { outDir: next, emptyOutDir: false, license: { fileName: 'licenses.md' } }
    await bundle({ root: web, logLevel: 'warn', build: made })
    for (const name of globSync('**/*', { cwd: next })) compress(join(next, name))
    writeFileSync(join(next, 'sources.txt'), hash)
    // Temporary folders are private; the service may run as another user than whoever installed it.
    chmodSync(next, 0o755)
    rmSync(output, { recursive: true, force: true })
    renameSync(next, output)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
  console.log(`The console was built in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
}

function compress(path: string): void {
  if (!compressed.has(extname(path)) || statSync(path).size < smallestBytes) return
  const bytes = readFileSync(path)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, quality))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
}

function isFresh(hash: string): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
}

/** The hash of everything that goes into the build: times of files say nothing after a checkout. */
function hashOfSources(): string {
  const hash = createHash('sha256')
  const names = globSync(['index.html', '*.ts', '{src,public,texts}/**/*'], { cwd: web }).toSorted()
  for (const name of [...names.map((each) => join('web', each)), 'package-lock.json', 'scripts/build-web.ts']) {
    const path = join(root, name)
    if (statSync(path).isFile()) hash.update(`${name}\0`).update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}

// Builds the SDK from the operations: sdk/src, the files that are made from the OpenAPI document, and the compiler.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createOpenApi } from '#api-document/openapi.ts'
import { contactKinds } from '#contacts/index.ts'
import { kinds } from '#kinds/index.ts'
import { operations } from '#operations/index.ts'
import { components } from '#operations/pipeline/named-schemas.ts'
import { advertisedOffers } from '#payments/offers.ts'
import { clientFiles } from './client-text.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const sdkFolder: string = join(root, 'sdk')
/** By a name of its own in suites/package.json: packages that would take `typescript` would have "npm ci" install it. */
const compiler = join(root, 'node_modules', 'perigee-tsc', 'bin', 'tsc')
const cache = join(root, 'node_modules', '.cache')

/** The files of dist/ by their names, in order: modules and declarations. Throws what the compiler says. */
export function buildSdk(): Map<string, Buffer> {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'perigee-sdk-'))
  try {
    cpSync(join(sdkFolder, 'src'), join(folder, 'src'), { recursive: true })
    for (const [name, text] of Object.entries(clientFiles(document()))) writeFileSync(join(folder, 'src', name), text)
    const { compilerOptions } = JSON.parse(readFileSync(join(sdkFolder, 'tsconfig.json'), 'utf8'))
    const options = {
      ...compilerOptions,
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: 'src',
      outDir: 'dist',
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['src'] }))
    // The compiler reads from here that the files are modules.
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    compile(folder)
    const names = globSync('*.{js,d.ts}', { cwd: join(folder, 'dist') }).toSorted()
    return new Map(names.map((name) => [name, declared(readFileSync(join(folder, 'dist', name), 'utf8'))]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The compiler rewrites the names of modules in modules only, and compilers before 5.7 do not know them otherwise. */
function declared(text: string): Buffer {
  return Buffer.from(text.replaceAll(/(from '\.\/[\w-]+)\.ts';/g, "$1.js';"))
}

export function compile(folder: string): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '--project', folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The SDK could not be compiled: ${stdout}${stderr}`)
}

/** Of no installation: its locations are any texts. */
function document() {
  return createOpenApi({
    operations,
    components,
    kinds,
    contactKinds,
    publicUrl: 'http://127.0.0.1:3000',
    paymentOffers: advertisedOffers(null),
    locationCodes: [],
  })
}

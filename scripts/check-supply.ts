// Refuses what must not come into a release from others: packages whose licence is not allowed, install scripts without
// a decision, packages without a checksum, and images of containers without a digest. Part of `npm run check`.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { imageProblems, isImageFile } from './supply/images.ts'
import { checksumProblems, installScriptProblems } from './supply/install-scripts.ts'
import { licenceProblems } from './supply/licences.ts'
import { lockedPackages } from './supply/locked.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { allowScripts } = z
  .object({ allowScripts: z.record(z.string(), z.boolean()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
const packages = lockedPackages(root)
const imageFiles = ourFiles().filter((file) => isImageFile(file) && !file.startsWith('test/'))
const problems = [
  ...licenceProblems(packages),
  ...installScriptProblems(packages, allowScripts),
  ...checksumProblems(packages),
  ...imageFiles.flatMap((file) => imageProblems({ file, text: readFileSync(join(root, file), 'utf8') })),
]
for (const problem of problems) console.error(problem)
console.log(
  `${packages.length} locked packages and the images of ${imageFiles.length} files: ${problems.length} problems. docs/supply-chain.md`,
)
process.exitCode = problems.length === 0 ? 0 : 1

function ourFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
}

// Refuses what must not come into a release from others: packages whose licence is not allowed, install scripts without
// a decision, and packages without a checksum. Part of `npm run check`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { checksumProblems, installScriptProblems } from './supply/install-scripts.ts'
import { licenceProblems } from './supply/licences.ts'
import { lockedPackages } from './supply/locked.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { allowScripts } = z
  .object({ allowScripts: z.record(z.string(), z.boolean()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
const packages = lockedPackages(root)
const problems = [
  ...licenceProblems(packages),
  ...installScriptProblems(packages, allowScripts),
  ...checksumProblems(packages),
]
for (const problem of problems) console.error(problem)
console.log(`${packages.length} locked packages: ${problems.length} problems. docs/supply-chain.md`)
process.exitCode = problems.length === 0 ? 0 : 1

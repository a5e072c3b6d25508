import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const oxlint = fileURLToPath(import.meta.resolve('oxlint/package.json')).replace(/package\.json$/, 'bin/oxlint')
const plugin = fileURLToPath(new URL('plugin.ts', import.meta.url))
const report = z.object({ diagnostics: z.array(z.object({ message: z.string(), filename: z.string() })) })

/** What one of our own rules finds in a folder, as oxlint itself applies it: messages by file. */
export function findingsOf(rule: string, folder: string): Map<string, string[]> {
  const config = join(folder, 'oxlintrc.json')
  const rules = { [`perigee/${rule}`]: 'error' }
  writeFileSync(config, JSON.stringify({ jsPlugins: [plugin], categories: { correctness: 'off' }, rules }))
  const { diagnostics } = report.parse(JSON.parse(runOxlint(['--format=json', `--config=${config}`, '.'], folder)))
  const found = new Map<string, string[]>()
  for (const { filename, message } of diagnostics) found.set(filename, [...(found.get(filename) ?? []), message])
  return found
}

/** It ends with 1 where it found something. */
function runOxlint(given: string[], cwd: string): string {
  try {
    return execFileSync(process.execPath, [oxlint, ...given], { cwd, encoding: 'utf8', timeout: 60_000 })
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 1 && 'stdout' in error)
      return String(error.stdout)
    throw error
  }
}

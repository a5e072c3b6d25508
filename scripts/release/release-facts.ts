import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** The folder of the sources, without a slash at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

const names = z.record(z.string(), z.string())

export const release = z
  .object({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.string(),
    engines: z.object({ node: z.string() }),
    dependencies: names,
    optionalDependencies: names,
  })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

/**
 * The time that every file of a release bears, in Unix seconds: SOURCE_DATE_EPOCH (reproducible-builds.org/specs), or
 * that of the last commit.
 */
export function releaseTime(): number {
  const given = process.env['SOURCE_DATE_EPOCH']
  const text = given ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
  const seconds = Number(text)
  if (!Number.isSafeInteger(seconds) || seconds <= 0)
    throw new Error(`SOURCE_DATE_EPOCH is "${text.trim()}", which is no number of seconds.`)
  return seconds
}

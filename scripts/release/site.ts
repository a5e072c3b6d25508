// The documentation site of a release: what `npm run site` builds, for any web server, any folder of one, or none.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Entry, entriesBelow, under } from './entries.ts'
import { release, root } from './release-facts.ts'

const buildMs = 300_000

export function siteName(): string {
  return `perigee-${release.version}-docs`
}

export function siteEntries(): Entry[] {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-docs-'))
  try {
    execFileSync(process.execPath, [join(root, 'site/build.ts'), folder], { stdio: 'inherit', timeout: buildMs })
    return under(siteName(), entriesBelow(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

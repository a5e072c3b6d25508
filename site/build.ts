// `npm run site`: builds the documentation site into site/dist, or into the folder that is given. Its generator is
// installed beside it first, unless it is there as the lock says.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const site = fileURLToPath(new URL('.', import.meta.url))
const stamp = new URL('node_modules/.lock-sha256', import.meta.url)
const installMs = 300_000

install()
const { renderSite } = await import('./render.ts')
const folder = resolve(process.argv[2] ?? fileURLToPath(new URL('dist', import.meta.url)))
const began = performance.now()
const count = await renderSite(folder)
console.log(`${count} pages in ${folder}, ${((performance.now() - began) / 1000).toFixed(1)} s`)

/** Without install scripts: the generator needs none. */
function install(): void {
  const lock = createHash('sha256')
    .update(readFileSync(new URL('package-lock.json', import.meta.url)))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: site,
    stdio: 'inherit',
    timeout: installMs,
  })
  writeFileSync(stamp, lock)
}

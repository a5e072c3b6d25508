// Network namespaces of a test, as root on Linux.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { after } from 'node:test'

/** Makes a namespace with its loopback up, removed with the test. `suffix` tells several of one process apart. */
export function addNamespace(suffix = ''): string {
  removeLeftBehind()
  const name = `perigee-${process.pid}${suffix}`
  ip('netns', 'add', name)
  ip('-n', name, 'link', 'set', 'lo', 'up')
  const remove = (): void => ip('netns', 'delete', name)
  // A run that is interrupted ends without its hooks.
  process.once('exit', remove)
  after(() => {
    process.off('exit', remove)
    remove()
  })
  return name
}

export function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Removes the namespaces of runs that were killed, because they still hold the addresses that this run needs. */
function removeLeftBehind(): void {
  const names = execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })
  for (const [name, pid] of names.matchAll(/^perigee-(\d+)[a-z-]*/gm))
    if (!existsSync(`/proc/${pid}`)) ip('netns', 'delete', name)
}

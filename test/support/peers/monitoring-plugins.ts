import { execFile } from 'node:child_process'
import { findProgram } from './program.ts'

/** How a plugin ends, by its exit code. */
const states = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'] as const
export type PluginState = (typeof states)[number]

/** Name and arguments of a program of Debian's monitoring-plugins. */
export type PluginCommand = readonly [name: string, ...rest: string[]]

/** Longer than any `-t` that a case gives. */
const patienceMs = 30_000

/** Runs a plugin once; rejects when it ends in a way that plugins do not have. */
export function runPlugin([name, ...rest]: PluginCommand): Promise<{ state: PluginState; text: string }> {
  const settings = { timeout: patienceMs, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' } }
  return new Promise((resolve, reject) => {
    execFile(findProgram(name) ?? name, rest, settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code
      const state = typeof code === 'number' ? states[code] : undefined
      const text = `${stdout}${stderr}`.trim()
      if (state === undefined) reject(new Error(`${name} ended with ${code}: ${text}`))
      else resolve({ state, text })
    })
  })
}

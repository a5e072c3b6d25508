import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { whole } from './support/figures.ts'
import { withService } from './support/service.ts'

const monitors = 1_000
const program = fileURLToPath(new URL('../bin/perigee.js', import.meta.url))

/** A project of 1,000 monitors, planned, applied to an empty workspace, and applied again. */
export async function apply(): Promise<void> {
  await withService({ environment: limits, seed: async () => {} }, async ({ url, token }) => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-bench-apply-'))
    try {
      const file = join(folder, 'many.yaml')
      writeFileSync(file, project())
      const run = (...args: string[]): Promise<Run> => perigee([...args, '-f', file], { url, token })
      console.log(`Raised for this: ${JSON.stringify(limits)}`)
      const planned = await run('plan')
      // Nothing is at the addresses.
      const applied = await run('apply', '--no-try')
      const again = await run('apply')
      for (const { command, seconds, last } of [planned, applied, again])
        console.log(`perigee ${command}: ${seconds.toFixed(1)} s, "${last}"`)
      console.log(
        `apply: ${whole(monitors)} monitors planned in ${planned.seconds.toFixed(1)} s, goal 3; applied in ` +
          `${applied.seconds.toFixed(1)} s, goal 60; applied again: ${again.last}`,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

const limits = {
  PERIGEE_PLANS: '{"pro":{"slots":5000,"minIntervalSeconds":10}}',
  PERIGEE_READS_PER_MINUTE: '100000',
  PERIGEE_WRITES_PER_MINUTE: '100000',
}

/** A router for each ten monitors, that the nine others depend on. */
function project(): string {
  const lines = Array.from({ length: monitors }, (_, at) => {
    const parent = at % 10 === 0 ? '' : `, depends_on: [m${at - (at % 10)}]`
    return `  - {key: m${at}, name: Monitor ${at}, url: "http://127.0.0.1:9/${at}", interval_seconds: 3600, tags: [bench]${parent}}\n`
  })
  return `project: many\nmonitors:\n${lines.join('')}`
}

type Run = { command: string; seconds: number; last: string }

async function perigee(args: readonly string[], { url, token }: { url: string; token: string }): Promise<Run> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, PERIGEE_URL: url, PERIGEE_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  await once(child, 'close')
  const last = text.trimEnd().split('\n').at(-1) ?? ''
  return { command: args[0] ?? '', seconds: (performance.now() - startedAt) / 1000, last }
}

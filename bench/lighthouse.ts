import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { addPast, owner, signIn } from './console.ts'
import { percentile } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { withService } from './support/service.ts'
import { addPage } from './status.ts'
import { installPackages } from '../scripts/debian-packages.ts'

// npm fetches it for this bench alone: it brings 176 MB that nothing else needs.
const lighthouse = 'lighthouse@13.5.0'
const rounds = 5
const monitors = 50
const runMs = 300_000
const categories = ['performance', 'accessibility', 'best-practices'] as const
const goal = 95

const scoresSchema = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  audits: z.record(z.string(), z.object({ title: z.string(), score: z.number().nullable() })),
})

/** Scores of Lighthouse, desktop preset, for the overview, a monitor and a public page: medians of five. */
export async function lighthouseScores(): Promise<void> {
  installPackages(['chromium'])
  let monitorId = ''
  await withService(
    {
      environment: { PERIGEE_OWNER_EMAIL: owner.email, PERIGEE_OWNER_PASSWORD: owner.password },
      seed: async (seed) => {
        const ids = await addMonitors(seed, monitors, (index) => ({
          name: `Shop of customer ${index}`,
          url: `https://shop-${index}.customers.example.com/health`,
          interval_seconds: 86_400,
        }))
        await addPast(seed.database, new Date())
        await addPage(seed, { slug: 'acme', history: '90_days', ids: ids.slice(0, 20) })
        monitorId = ids[0] ?? ''
      },
    },
    async (service) => {
      const { Cookie: cookie = '' } = await signIn(service)
      const lines: string[] = []
      for (const [name, path] of [
        ['overview', '/monitors'],
        ['monitor', `/monitors/${monitorId}`],
        ['public page', '/status/acme'],
      ] as const)
        lines.push(await medians(name, { url: service.url + path, cookie }))
      console.log(`lighthouse: ${lines.join('; ')}; goal ${goal} each`)
    },
  )
}

async function medians(name: string, page: { url: string; cookie: string }): Promise<string> {
  const scores = new Map<string, number[]>()
  const lacking = new Set<string>()
  for (let round = 0; round < rounds; round += 1) {
    const { categories: found, audits } = await runOnce(page)
    for (const category of categories)
      scores.set(category, [...(scores.get(category) ?? []), (found[category]?.score ?? 0) * 100])
    for (const { title, score } of Object.values(audits)) if (score !== null && score < 0.9) lacking.add(title)
  }
  const medianOf = (category: string): string => percentile(scores.get(category) ?? [], 0.5).toFixed(0)
  console.log(`${name}: ${[...scores].map(([category, each]) => `${category} ${each.join(', ')}`).join('; ')}`)
  console.log(`  below 90: ${[...lacking].join('; ') || 'nothing'}`)
  return `${name} ${categories.map((category) => `${category} ${medianOf(category)}`).join(', ')}`
}

async function runOnce({ url, cookie }: { url: string; cookie: string }): Promise<z.infer<typeof scoresSchema>> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-lighthouse-'))
  try {
    const headers = join(folder, 'headers.json')
    const report = join(folder, 'report.json')
    writeFileSync(headers, JSON.stringify({ Cookie: cookie }))
    const given = [url, '--quiet', '--preset=desktop', '--output=json', `--output-path=${report}`]
    const browser = ['--chrome-flags=--headless=new --no-sandbox --disable-gpu', `--extra-headers=${headers}`]
    await promisify(execFile)(
      'npm',
      ['exec', '--yes', `--package=${lighthouse}`, '--', 'lighthouse', ...given, ...browser],
      {
        env: { ...process.env, CHROME_PATH: '/usr/bin/chromium' },
        timeout: runMs,
      },
    )
    return scoresSchema.parse(JSON.parse(readFileSync(report, 'utf8')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

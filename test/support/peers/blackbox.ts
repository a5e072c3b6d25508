import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon } from './daemon.ts'

/** A module of prometheus-blackbox-exporter, as its configuration names the members. */
export type BlackboxModule = { prober: 'http' | 'tcp' | 'dns' | 'icmp' | 'grpc' } & Record<string, unknown>

export type BlackboxVerdict = 'success' | 'failure'

export type Blackbox = {
  probe: (module: string, target: string) => Promise<{ verdict: BlackboxVerdict; metrics: ReadonlyMap<string, number> }>
}

/** The exporter on a port of 127.0.0.1, with these modules; stopped after the file. */
export async function startBlackbox(modules: Readonly<Record<string, BlackboxModule>>): Promise<Blackbox> {
  const folder = scratchFolder('blackbox')
  const port = await freePort()
  const path = join(folder, 'blackbox.yml')
  // YAML, of which JSON is a part.
  writeFileSync(path, JSON.stringify({ modules }))
  await startDaemon(
    ['prometheus-blackbox-exporter', `--config.file=${path}`, `--web.listen-address=127.0.0.1:${port}`],
    { folder, ports: [port] },
  )
  return {
    probe: async (module, target) => {
      const query = new URLSearchParams({ module, target })
      const response = await fetch(`http://127.0.0.1:${port}/probe?${query.toString()}`, {
        signal: AbortSignal.timeout(30_000),
      })
      const text = await response.text()
      const metrics = readMetrics(text)
      const success = metrics.get('probe_success')
      if (!response.ok || success === undefined) throw new Error(`The exporter answers ${response.status}: ${text}`)
      return { verdict: success === 1 ? 'success' : 'failure', metrics }
    },
  }
}

/** Reads the metrics that have no labels. */
function readMetrics(text: string): Map<string, number> {
  const lines = text.matchAll(/^([a-z_]+) (\S+)$/gm)
  return new Map(Array.from(lines, ([, name = '', value]) => [name, Number(value)]))
}

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon } from './daemon.ts'

export type PrometheusSample = { metric: Record<string, string>; value: number }

const answerSchema = z.object({
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
})

/** Prometheus on a port of 127.0.0.1, which reads a target every second with a token. Stopped after the file. */
export async function startPrometheus(target: {
  port: number
  path: string
  token: string
}): Promise<{ query: (expression: string) => Promise<PrometheusSample[]> }> {
  const folder = scratchFolder('prometheus')
  const port = await freePort()
  const path = join(folder, 'prometheus.yml')
  const configuration = {
    scrape_configs: [
      {
        job_name: 'perigee-monitors',
        metrics_path: target.path,
        scrape_interval: '1s',
        scrape_timeout: '1s',
        authorization: { credentials: target.token },
        static_configs: [{ targets: [`127.0.0.1:${target.port}`] }],
      },
    ],
  }
  // YAML, of which JSON is a part.
  writeFileSync(path, JSON.stringify(configuration))
  await startDaemon(
    [
      'prometheus',
      `--config.file=${path}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { folder, ports: [port] },
  )
  return {
    query: async (expression) => {
      const asked = new URLSearchParams({ query: expression })
      const signal = AbortSignal.timeout(30_000)
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${asked.toString()}`, { signal })
      const text = await response.text()
      if (response.status === 503) return []
      if (response.status !== 200) throw new Error(`${expression}: ${text}`)
      return answerSchema
        .parse(JSON.parse(text))
        .data.result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }))
    },
  }
}

/** What promtool says of a text, which it reads from its input. Throws where it complains. */
export function promtool(command: readonly string[], input: string): string {
  return execFileSync('promtool', command, { input, encoding: 'utf8', timeout: 60_000 })
}

const readOpenMetrics = `
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
families = text_string_to_metric_families(sys.stdin.read())
json.dump([[f.name, f.type, f.unit, len(f.samples)] for f in families], sys.stdout)`

/** The families that Prometheus' own reader of OpenMetrics finds, which is the reference of that format. */
export function openMetricsFamilies(text: string): [name: string, type: string, unit: string, samples: number][] {
  const printed = execFileSync('/usr/bin/python3', ['-c', readOpenMetrics], {
    input: text,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return z.array(z.tuple([z.string(), z.string(), z.string(), z.int()])).parse(JSON.parse(printed))
}

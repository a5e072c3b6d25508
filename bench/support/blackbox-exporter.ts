// blackbox_exporter as Debian packages it, asked as Prometheus asks it: each target once an interval, spread over it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { waitFor } from './service.ts'
import { findProgram, freePorts, type Target } from './target.ts'

export type Exporter = {
  pid: number
  version: string
  /** Has the target at this address probed; rejects when it is not found to be up. */
  probe: (url: string) => Promise<void>
  stop: () => void
}

const program = 'prometheus-blackbox-exporter'
const startMs = 10_000
const probeMs = 10_000
/** Prometheus keeps its connections to what it asks. */
const maxConnections = 256

/** Null where the exporter is not installed. */
export async function startExporter(target: Target): Promise<Exporter | null> {
  const file = findProgram(program)
  if (file === null) return null
  const folder = mkdtempSync(join(tmpdir(), 'perigee-bench-exporter-'))
  const [port = 0] = await freePorts(1)
  const configuration = join(folder, 'blackbox.yml')
  // YAML, of which JSON is a part.
  writeFileSync(configuration, JSON.stringify({ modules: { web: moduleFor(target) } }))
  const address = `127.0.0.1:${port}`
  const child = startChild(file, [`--config.file=${configuration}`, `--web.listen-address=${address}`], {
    stdio: 'ignore',
  })
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections })
  const stop = (): void => {
    agent.destroy()
    child.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
  const probe = async (url: string): Promise<void> => {
    const text = await read(`http://${address}/probe?module=web&target=${encodeURIComponent(url)}`, agent)
    if (!/^probe_success 1$/m.test(text)) throw new Error(`The exporter does not find ${url} up: ${text}`)
  }
  try {
    await waitFor('the exporter to listen', () => probe(target.urls[0] ?? '').then(...whether), { deadlineMs: startMs })
  } catch (error) {
    stop()
    throw error
  }
  return { pid: child.pid ?? 0, version: versionOf(file), probe, stop }
}

const whether = [() => true, () => false] as const

/** The exporter is asked for what a monitor checks by default: a status of 2xx, and a certificate that is trusted. */
function moduleFor({ certificateFile }: Target): object {
  const tls = certificateFile === null ? {} : { fail_if_not_ssl: true, tls_config: { ca_file: certificateFile } }
  return { prober: 'http', timeout: '10s', http: { preferred_ip_protocol: 'ip4', ...tls } }
}

function versionOf(file: string): string {
  const [line = ''] = execFileSync(file, ['--version'], { encoding: 'utf8' }).split('\n')
  return /version ([^\s,]+)/.exec(line)?.[1] ?? 'of unknown version'
}

function read(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, signal: AbortSignal.timeout(probeMs) }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      answer.on('end', () => resolve(text))
      answer.on('error', reject)
    })
    request.on('error', reject)
  })
}

import { readFileSync } from 'node:fs'
import { request as requestPlain, type RequestOptions } from 'node:http'
import { request as requestSecure } from 'node:https'
import { join } from 'node:path'
import { type Container, containersSchema } from '#core/discovery/docker-containers.ts'
import { StartError } from '#store/database/start-error.ts'

const maxAnswerBytes = 64 * 1024 * 1024
const answerMs = 30_000

/** Where Docker's engine listens: a socket, or a host with the folder of the certificates that it asks for. */
export type Engine = { address: string; certificates: string | null }

/**
 * All containers of an engine, also those that do not run: one that has just stopped is still to be watched. The API is
 * that of Docker (https://docs.docker.com/reference/api/engine/), of 1.41 or later.
 */
export async function listContainers(engine: Engine): Promise<Container[]> {
  const text = await ask(engine, '/v1.41/containers/json?all=true').catch((error: unknown) => {
    throw new StartError(`Docker cannot be reached at ${engine.address}: ${reasonOf(error)}`)
  })
  const read = containersSchema.safeParse(parsed(text))
  if (!read.success) throw new StartError(`What answers at ${engine.address} is not the API of Docker.`)
  return read.data
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function ask(engine: Engine, path: string): Promise<string> {
  const { send, options } = wayTo(engine)
  return new Promise<string>((resolve, reject) => {
    const signal = AbortSignal.timeout(answerMs)
    const request = send(
      { ...options, path, headers: { Host: 'docker', Accept: 'application/json' }, signal },
      (answer) => {
        if (answer.statusCode !== 200) {
          answer.destroy()
          reject(new Error(`it answered ${answer.statusCode}`))
          return
        }
        const parts: Buffer[] = []
        let bytes = 0
        answer.on('data', (part: Buffer) => {
          parts.push(part)
          bytes += part.length
          if (bytes > maxAnswerBytes) answer.destroy(new Error(`it answered more than ${maxAnswerBytes} bytes`))
        })
        answer.on('end', () => resolve(Buffer.concat(parts).toString()))
        answer.on('error', reject)
      },
    )
    request.on('error', (error) => reject(signal.aborted ? new Error('it did not answer in time') : error))
    request.end()
  })
}

/** As the docker command reads DOCKER_HOST and DOCKER_CERT_PATH. */
function wayTo({ address, certificates }: Engine): { send: typeof requestPlain; options: RequestOptions } {
  const [, socket] = /^unix:\/\/(\/.+)$/.exec(address) ?? []
  if (socket !== undefined) return { send: requestPlain, options: { socketPath: socket } }
  const url = URL.parse(address.replace(/^tcp:/, 'http:'))
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new StartError(`${address} is not a Docker address such as unix:///var/run/docker.sock or tcp://host:2376.`)
  const { hostname: host } = url
  if (certificates === null && url.protocol === 'http:')
    return { send: requestPlain, options: { host, port: url.port || 2375 } }
  const pem = (name: string): Buffer | undefined =>
    certificates === null ? undefined : readFileSync(join(certificates, name))
  const options = { host, port: url.port || 2376, ca: pem('ca.pem'), cert: pem('cert.pem'), key: pem('key.pem') }
  return { send: requestSecure, options }
}

import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readVariable } from '#config/config-service.ts'
import {
  type Change,
  changesOf,
  type DiscoveredFile,
  entryOf,
  readDiscovered,
  withDecisions,
  writeDiscovered,
} from '#core/discovery/discovered-file.ts'
import { readContainers } from '#core/discovery/docker-containers.ts'
import { objectsSchema, readObjects } from '#core/discovery/kubernetes-objects.ts'
import { type Discovered, type LeftOut, plainHost, type Proposal } from '#core/discovery/proposal.ts'
import { isIpv4 } from '#core/language/ip-address.ts'
import { oneLine } from '#core/language/one-line.ts'
import { idForm, idRule } from '#core/projects/entries.ts'
import { ProjectError } from '#core/projects/project-error.ts'
import { readProject } from '#operations/projects/read-project.ts'
import { StartError } from '#store/database/start-error.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { discoverDefinition } from '#cli/definitions/projects.ts'
import { paintChanges, paintFor } from '#cli/terminal/paint.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { decideByHand } from './approve.ts'
import { lineOf } from './change-line.ts'
import { listContainers } from './docker-engine.ts'

const usage = usageOf(discoverDefinition)

const { options } = discoverDefinition

type Order = {
  source: 'docker' | 'kubernetes'
  docker: string
  host: string | null
  file: string | null
  output: string | null
  project: string | null
  isAll: boolean
  isJson: boolean
}

const usualSocket = 'unix:///var/run/docker.sock'
const maxInputBytes = 64 * 1024 * 1024

/** `perigee discover`: see its usage. */
export async function runDiscover(argv: readonly string[], { out, err }: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    out.write(usage)
    return 0
  }
  const order = readOrder(argv)
  const file = readOutput(order)
  const { proposals, leftOut } = valid(order.source === 'docker' ? await ofDocker(order) : await ofKubernetes(order))
  // A wrong address must not look as if everything had been taken down.
  if (proposals.length === 0 && leftOut.length === 0)
    throw new StartError(
      `No ${order.source === 'docker' ? 'container' : 'object'} says what it serves, so there is nothing to propose.`,
    )
  const changes = changesOf(file, proposals)
  if (order.isJson) out.write(`${JSON.stringify(jsonOf(proposals, changes, leftOut))}\n`)
  else out.write(paintChanges(textFor(order, { file, proposals, changes, leftOut }), paintFor(out)))
  if (order.output === null || changes.length === 0) return 0
  const decisions = order.isAll
    ? new Map(changes.map((change) => [change, true]))
    : await decideByHand(changes, { input: process.stdin, output: process.stderr })
  writeFileSync(order.output, writeDiscovered(withDecisions(file, decisions)))
  const approved = [...decisions.values()].filter(Boolean).length
  err.write(`${approved} of ${changes.length} approved, written to ${order.output}.\n`)
  return 0
}

function readOrder(argv: readonly string[]): Order {
  const { values, positionals } = readArguments(argv, options, usage)
  const [source, ...rest] = positionals
  if ((source !== 'docker' && source !== 'kubernetes') || rest.length > 0)
    throw new UsageError('Name a source: docker or kubernetes.', usage)
  const { host = null, file = null, output = null, project = null, yes: isAll = false, json: isJson = false } = values
  if (source === 'kubernetes' && file === null)
    throw new UsageError('Name the file: -f objects.json, or -f - for the standard input.', usage)
  if (source === 'docker' && file !== null) throw new UsageError('-f only works with kubernetes.', usage)
  if (source === 'kubernetes' && (values.docker ?? host) !== null)
    throw new UsageError('--docker and --host only work with docker.', usage)
  if (host !== null && !isIpv4(host) && plainHost(host) === null)
    throw new UsageError(`--host: ${host} is neither a host name nor an IPv4 address.`, usage)
  if (project !== null && !idForm.test(project)) throw new UsageError(`--project: ${idRule}`, usage)
  if (output === null && isAll) throw new UsageError('--yes only works with --output.', usage)
  const canAsk = process.stdin.isTTY && file !== '-'
  if (output !== null && !isAll && !canAsk)
    throw new UsageError('There is no terminal to ask you in. Give --yes to approve every proposal.', usage)
  const docker = values.docker ?? readVariable('DOCKER_HOST') ?? usualSocket
  return { source, docker, host, file, output, project, isAll, isJson }
}

/** What an earlier discovery wrote there. Refuses to take the place of a file that people wrote. */
function readOutput({ output, project, source }: Order): DiscoveredFile {
  const none = { project, source, monitors: [], refused: [] }
  if (output === null || statSync(output, { throwIfNoEntry: false }) === undefined) return none
  const file = readDiscovered({ file: output, text: readFileSync(output, 'utf8') })
  if (file === null) throw new StartError(`${output} was not written by perigee discover, so it is left unchanged.`)
  if (file.source !== source) throw new StartError(`${output} was written by perigee discover ${file.source}.`)
  return { ...file, project: project ?? file.project }
}

async function ofDocker({ docker, host }: Order): Promise<Discovered> {
  const certificates = docker.startsWith('unix:') ? null : readVariable('DOCKER_CERT_PATH')
  return readContainers(await listContainers({ address: docker, certificates }), host)
}

async function ofKubernetes({ file }: Order): Promise<Discovered> {
  const text = await readInput(file ?? '-')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new StartError(`${file} is not JSON. Write it with kubectl get -o json.`)
  }
  const read = objectsSchema.safeParse(value)
  if (!read.success) throw new StartError(`${file} holds no Kubernetes objects. Write it with kubectl get -o json.`)
  return readObjects(read.data)
}

async function readInput(file: string): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of file === '-' ? process.stdin : createReadStream(file)) {
      const read = Buffer.from(part)
      parts.push(read)
      bytes += read.length
      if (bytes > maxInputBytes) throw new Error(`${file} has more than ${maxInputBytes} bytes.`)
    }
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
  return Buffer.concat(parts).toString()
}

/** Without what the service would refuse, each of which is told with what is wrong. */
function valid({ proposals, leftOut }: Discovered): Discovered {
  const refused: LeftOut[] = []
  const kept = proposals.filter((proposal) => {
    const problem = problemOf(proposal)
    if (problem !== null) refused.push({ origin: proposal.origin, message: problem })
    return problem === null
  })
  return { proposals: kept, leftOut: [...leftOut, ...refused] }
}

const nothingAround = { environment: () => null, readFile: () => null }

function problemOf(proposal: Proposal): string | null {
  if (Object.hasOwn(proposal.fields, 'for_each')) return 'perigee.for_each is not a field of a monitor.'
  try {
    readProject([{ file: proposal.origin, text: writeDiscovered(aloneIn(proposal)) }], nothingAround)
    return null
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error
    return error.problems.map(({ path, message }) => `${path}: ${message}`).join(' ')
  }
}

function aloneIn(proposal: Proposal): DiscoveredFile {
  return { project: 'alone', source: 'docker', monitors: [entryOf(proposal)], refused: [] }
}

type Found = {
  file: DiscoveredFile
  proposals: readonly Proposal[]
  changes: readonly Change[]
  leftOut: readonly LeftOut[]
}

function textFor({ source }: Order, { file, proposals, changes, leftOut }: Found): string {
  const lines = changes.map(lineOf)
  for (const { origin, message } of leftOut) lines.push(oneLine(`! ${origin}: ${message}`))
  const count = (type: Change['type']): number => changes.filter((change) => change.type === type).length
  const before = proposals.length - count('new') - count('changed')
  const refused = proposals.filter(({ key }) => file.refused.includes(key)).length
  lines.push(
    `${source}: ${count('new')} new, ${count('changed')} changed, ${count('gone')} gone, ${before - refused} unchanged, ` +
      `${refused} declined.`,
  )
  return `${lines.join('\n')}\n`
}

function jsonOf(proposals: readonly Proposal[], changes: readonly Change[], leftOut: readonly LeftOut[]) {
  const keysOf = (type: Change['type']): string[] =>
    changes
      .filter((change) => change.type === type)
      .map((change) => (change.type === 'gone' ? change.key : change.proposal.key))
  return {
    proposals: proposals.map((proposal) => ({
      origin: proposal.origin,
      because: proposal.because,
      monitor: entryOf(proposal),
    })),
    new: keysOf('new'),
    changed: keysOf('changed'),
    gone: keysOf('gone'),
    left_out: leftOut,
  }
}

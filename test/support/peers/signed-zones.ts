import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon } from './daemon.ts'
import { findProgram } from './program.ts'

const run = promisify(execFile)

export type SignedZone = {
  /** Without its final dot; the root is ".". Zones stand behind those that are beneath them. */
  name: string
  /** As in a zone file; SOA and NS are added. */
  records: string
  /** Null: not signed. */
  algorithm: string | null
  /** More words for dnssec-signzone. */
  signing?: readonly string[]
  /** What becomes of the zone file once it is signed. */
  change?: (signed: string) => string
  /** What the zone above says of the keys, as in a file of dnssec-signzone; null: nothing. */
  digests?: (own: string) => string | null
}

export type SignedTree = {
  /** host:port */
  server: string
  /** The digests of the root's keys, as Perigee is given them. */
  anchors: string[]
  /** Another server with one of the zones, which knows nothing else. */
  alone: (name: string) => Promise<string>
  /** What delv thinks of an answer, in its own words. */
  delv: (name: string, type: string) => Promise<string>
}

/** named with all of the zones, each signed with a key of its own by BIND's tools; stopped after the file. */
export async function startSignedTree(zones: readonly SignedZone[]): Promise<SignedTree> {
  const folder = scratchFolder('signed')
  for (const zone of zones) await writeZone(folder, zone)
  const port = await startNamed(
    folder,
    zones.map(({ name }) => name),
  )
  const anchors = digestsIn(readFileSync(digestFile(folder, '.'), 'utf8'))
  const anchorFile = join(folder, 'anchors.conf')
  const statements = anchors.map((anchor) => {
    const [tag, algorithm, type, digest] = anchor.split(' ')
    return `. static-ds ${tag} ${algorithm} ${type} "${digest}";`
  })
  writeFileSync(anchorFile, `trust-anchors { ${statements.join(' ')} };\n`)
  return {
    server: `127.0.0.1:${port}`,
    anchors,
    alone: async (name) => `127.0.0.1:${await startNamed(folder, [name])}`,
    delv: (name, type) => askDelv({ port, anchorFile }, name, type),
  }
}

async function startNamed(folder: string, names: readonly string[]): Promise<number> {
  const port = await freePort()
  const isWhole = names.includes('.')
  const blocks = names.map((name) => `zone "${name}" { type primary; file "${fileOf(folder, name)}"; };`)
  const configuration = join(folder, `named-${port}.conf`)
  writeFileSync(
    configuration,
    `options {
  directory "${folder}";
  pid-file "${join(folder, `pid-${port}`)}";
  session-keyfile "${join(folder, `session-${port}.key`)}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  recursion ${isWhole ? 'yes' : 'no'};
  allow-recursion { any; };
  minimal-responses yes;
  dnssec-validation no;
};
controls { };
${blocks.join('\n')}
`,
  )
  await startDaemon(['named', '-g', '-n', '1', '-c', configuration], { folder, ports: [port] })
  return port
}

async function writeZone(
  folder: string,
  { name, records, algorithm, signing = [], change, digests }: SignedZone,
): Promise<void> {
  const path = fileOf(folder, name)
  const head = `$TTL 300\n@ IN SOA ns. host. ( 1 3600 600 86400 60 )\n@ NS ns.\n`
  writeFileSync(path, `${head}${records}\n`)
  if (algorithm === null) return
  const unsigned = `${path}.unsigned`
  writeFileSync(unsigned, `${head}${records}\n`)
  await tool('dnssec-keygen', ['-q', '-K', folder, '-f', 'KSK', '-a', ...algorithm.split(' '), name])
  const usual = ['-q', '-P', '-S', '-z', '-g', '-K', folder, '-d', folder, '-o', name, '-f', path]
  await tool('dnssec-signzone', [...usual, ...signing, unsigned])
  if (change !== undefined) writeFileSync(path, change(readFileSync(path, 'utf8')))
  if (digests === undefined) return
  const told = digests(readFileSync(digestFile(folder, name), 'utf8'))
  if (told === null) rmSync(digestFile(folder, name))
  else writeFileSync(digestFile(folder, name), told)
}

async function tool(name: string, words: readonly string[]): Promise<void> {
  await run(findProgram(name) ?? name, [...words], { timeout: 30_000 })
}

function fileOf(folder: string, name: string): string {
  return join(folder, `${name === '.' ? 'root' : name}.zone`)
}

function digestFile(folder: string, name: string): string {
  return join(folder, `dsset-${name === '.' ? '' : name}.`)
}

/** The data of DS records of a file. */
function digestsIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.includes(' DS '))
  return lines.map((line) => {
    const [tag, algorithm, type, ...digest] = (line.split(' DS ')[1] ?? '').trim().split(/\s+/)
    return `${tag} ${algorithm} ${type} ${digest.join('')}`
  })
}

async function askDelv(at: { port: number; anchorFile: string }, name: string, type: string): Promise<string> {
  const words = ['@127.0.0.1', '-p', String(at.port), '-a', at.anchorFile, '+root=.', '+nocrypto', name, type]
  const { stdout, stderr } = await run(findProgram('delv') ?? 'delv', words, { timeout: 20_000 }).catch(
    (error: { stdout?: string; stderr?: string }) => ({ stdout: error.stdout ?? '', stderr: error.stderr ?? '' }),
  )
  return (
    /^;; resolution failed: .*$|^; (?:fully validated|unsigned answer|negative response, .*|answer not validated)$/m.exec(
      `${stdout}\n${stderr}`,
    )?.[0] ?? `${stdout}${stderr}`
  )
}

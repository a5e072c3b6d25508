import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Handler, httpServer } from './http-server.ts'

/** Why tests that need git are skipped; false where it is installed. */
export const lacksGit: false | string =
  spawnSync('git', ['http-backend'], { env: { PATH: process.env['PATH'] }, stdio: 'ignore' }).error === undefined
    ? false
    : 'git is not installed'

/** Files by path; the contents of a branch's only commit. */
export type Files = Record<string, string | Buffer>

export type RepositoryWish = {
  branches: Record<string, Files>
  /** Annotated tags, and the branch whose commit each is of. */
  tags?: Record<string, string>
  head?: string
  /** Settings for `git config`. */
  settings?: Record<string, string>
  format?: 'sha1' | 'sha256'
}

const usualSettings = { 'uploadpack.allowFilter': 'true', 'http.receivepack': 'false' }
const environment = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' }

export type GitRoot = {
  /** The folder of all repositories. */
  folder: string
  /** Makes a bare repository; the branch `head`, main by default, is where HEAD leads. Also replaces one. */
  make: (name: string, wish: RepositoryWish) => void
  /** Runs git and returns its output without the last line's end. */
  git: (name: string, ...parameters: string[]) => string
  /** The same, told `input`. */
  gitWith: (name: string, input: string | Buffer, ...parameters: string[]) => string
}

/** A folder of bare repositories, removed after the file. */
export function gitRoot(): GitRoot {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-repositories-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const gitWith: GitRoot['gitWith'] = (name, input, ...parameters) =>
    run(['-C', join(folder, name), ...parameters], input)
  const git: GitRoot['git'] = (name, ...parameters) => gitWith(name, '', ...parameters)
  return {
    folder,
    git,
    gitWith,
    make: (name, { branches, tags = {}, head = 'main', settings = {}, format = 'sha1' }) => {
      const path = join(folder, name)
      rmSync(path, { recursive: true, force: true })
      run(['init', '-q', '--bare', `--initial-branch=${head}`, `--object-format=${format}`, path], '')
      for (const [key, value] of Object.entries({ ...usualSettings, ...settings })) git(name, 'config', key, value)
      run(['-C', path, 'fast-import', '--quiet'], importStream(branches, tags))
    },
  }
}

function run(parameters: string[], input: string | Buffer): string {
  const { status, stdout, stderr } = spawnSync('git', parameters, { env: environment, input })
  if (status !== 0) throw new Error(`git ${parameters.join(' ')}: ${stderr.toString()}`)
  return stdout.toString().trimEnd()
}

/** Writes the stream that `git fast-import` reads. */
function importStream(branches: Record<string, Files>, tags: Record<string, string>): Buffer {
  const who = 'Test <test@example.com> 1700000000 +0000'
  const pieces: (string | Buffer)[] = []
  for (const [branch, files] of Object.entries(branches)) {
    pieces.push(`commit refs/heads/${branch}\ncommitter ${who}\ndata 1\n.\n`)
    for (const [path, contents] of Object.entries(files)) {
      const bytes = Buffer.from(contents)
      pieces.push(`M 100644 inline ${JSON.stringify(path)}\ndata ${bytes.length}\n`, bytes, '\n')
    }
    pieces.push('\n')
  }
  for (const [tag, branch] of Object.entries(tags))
    pieces.push(`tag ${tag}\nfrom refs/heads/${branch}\ntagger ${who}\ndata 1\n.\n`)
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
}

export type GitServer = {
  url: string
  port: number
  /** The requests so far: method, path with query, and the user that was told. */
  asked: string[]
}

export type GitServerWish = {
  host?: string
  tls?: ServerOptions
  /** user:password, by the first part of the path; without them 401 is answered. */
  secrets?: Record<string, string>
  /** Speaks only the protocol that git had before version 2. */
  isOld?: true
  /** Answers a request instead of git; false leaves it to git. */
  instead?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** Git's own smart HTTP over the repositories of a folder, closed after the file. */
export async function gitServer(root: GitRoot, wish: GitServerWish = {}): Promise<GitServer> {
  const asked: string[] = []
  const handler: Handler = (request, response) => {
    const given = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString()
    asked.push([request.method, request.url, ...(given === '' ? [] : [given.split(':')[0]])].join(' '))
    if (wish.instead?.(request, response) === true) return
    const secret = wish.secrets?.[(request.url ?? '').split('/')[1] ?? '']
    if (secret !== undefined && secret !== given)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('Unauthorized')
    serve({ folder: root.folder, isOld: wish.isOld === true }, request, response)
  }
  const { port } = await httpServer(handler, {
    host: wish.host ?? '127.0.0.1',
    ...(wish.tls === undefined ? {} : { tls: wish.tls }),
  })
  const scheme = wish.tls === undefined ? 'http' : 'https'
  const host = wish.host?.includes(':') === true ? `[${wish.host}]` : (wish.host ?? '127.0.0.1')
  return { url: `${scheme}://${host}:${port}`, port, asked }
}

/** One request by CGI (RFC 3875). */
function serve(
  { folder, isOld }: { folder: string; isOld: boolean },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const child = spawn('git', ['http-backend'], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(path),
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: isOld ? '' : String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  response.once('close', () => child.kill('SIGKILL'))
  let head: Buffer | null = Buffer.alloc(0)
  child.stdout.on('data', (piece: Buffer) => {
    if (head === null) return void response.write(piece)
    head = Buffer.concat([head, piece])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const rest = head.subarray(end + 4)
    writeHead(head.toString('latin1', 0, end), response)
    head = null
    response.write(rest)
  })
  child.stdout.once('end', () => response.end())
}

function writeHead(text: string, response: ServerResponse): void {
  const headers = text.split('\r\n').map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  const status = headers.find(([name]) => name === 'status')?.[1] ?? '200'
  response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.filter(([name]) => name !== 'status')))
}

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon } from './daemon.ts'

/** `digest`: who is let in, by RFC 7616, and into which realm; default: everybody. */
type ApacheWish = { digest?: { name: string; secret: string; realm: string } }

/** Apache as Debian builds it, with the folder of files it serves; stopped after the file. */
export async function startApache(
  files: Readonly<Record<string, string>>,
  { digest }: ApacheWish = {},
): Promise<number> {
  const folder = scratchFolder('apache')
  const port = await freePort()
  writeFiles(join(folder, 'htdocs'), files)
  const signIn = digest === undefined ? [] : ['authn_core', 'authn_file', 'authz_user', 'auth_digest']
  const modules = ['mpm_event', 'authz_core', 'dir', 'mime', ...signIn]
  const lines = [
    ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    `ServerRoot ${folder}`,
    `PidFile ${join(folder, 'pid')}`,
    `DefaultRuntimeDir ${folder}`,
    `Listen 127.0.0.1:${port}`,
    'ServerName localhost',
    'ServerTokens OS',
    `ErrorLog ${join(folder, 'error.log')}`,
    `DocumentRoot ${join(folder, 'htdocs')}`,
    'DirectoryIndex index.html',
    'TypesConfig /dev/null',
    'User www-data',
    'Group www-data',
    ...(digest === undefined ? [] : digestLines(digest, folder)),
  ]
  writeFileSync(join(folder, 'httpd.conf'), `${lines.join('\n')}\n`)
  await startDaemon(['apache2', '-D', 'FOREGROUND', '-f', join(folder, 'httpd.conf')], { folder, ports: [port] })
  return port
}

function digestLines({ name, secret, realm }: NonNullable<ApacheWish['digest']>, folder: string): string[] {
  const file = join(folder, 'digests')
  const hash = createHash('md5').update(`${name}:${realm}:${secret}`).digest('hex')
  writeFileSync(file, `${name}:${realm}:${hash}\n`)
  return [
    '<Location />',
    'AuthType Digest',
    `AuthName "${realm}"`,
    'AuthDigestProvider file',
    `AuthUserFile ${file}`,
    'Require valid-user',
    '</Location>',
  ]
}

/** lighttpd, likewise. */
export async function startLighttpd(files: Readonly<Record<string, string>>): Promise<number> {
  const folder = scratchFolder('lighttpd')
  const port = await freePort()
  writeFiles(join(folder, 'htdocs'), files)
  const lines = [
    `server.document-root = "${join(folder, 'htdocs')}"`,
    `server.port = ${port}`,
    'server.bind = "127.0.0.1"',
    'index-file.names = ( "index.html" )',
    'mimetype.assign = ( ".html" => "text/html" )',
  ]
  writeFileSync(join(folder, 'lighttpd.conf'), `${lines.join('\n')}\n`)
  await startDaemon(['lighttpd', '-D', '-f', join(folder, 'lighttpd.conf')], { folder, ports: [port] })
  return port
}

/** PHP's own web server. */
export async function startPhp(files: Readonly<Record<string, string>>): Promise<number> {
  const folder = scratchFolder('php')
  const port = await freePort()
  writeFiles(join(folder, 'htdocs'), files)
  await startDaemon(['php', '-S', `127.0.0.1:${port}`, '-t', join(folder, 'htdocs')], { folder, ports: [port] })
  return port
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

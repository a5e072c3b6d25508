// simpleSAMLphp of Debian as an identity provider, served by the server that PHP has for developers.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Certificate } from './certificates.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

export const simpleSamlPackages = ['simplesamlphp', 'php-cli', 'php-xml'] as const

type Wish = {
  certificate: Certificate
  service: { entityId: string; consumerUrl: string }
  /** By their names, what is said of them. Each has the password `x`. */
  people: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

/** Gives the address of its metadata. It ends after the file. */
export async function startSimpleSaml(wish: Wish): Promise<string> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'perigee-saml-'))
  const root = `http://127.0.0.1:${port}/`
  writeConfiguration(folder, root, wish)
  const server = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', '/usr/share/simplesamlphp/www'], {
    env: { PATH: process.env['PATH'], SIMPLESAMLPHP_CONFIG_DIR: folder },
    stdio: 'ignore',
  })
  after(async () => {
    server.kill('SIGKILL')
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    rmSync(folder, { recursive: true })
  })
  const metadata = `${root}saml2/idp/metadata.php`
  const answers = (): Promise<boolean> =>
    fetch(metadata).then(
      ({ ok }) => ok,
      () => false,
    )
  await until('the metadata of simpleSAMLphp', answers, 30_000)
  return metadata
}

function writeConfiguration(folder: string, root: string, { certificate, service, people }: Wish): void {
  for (const name of ['metadata', 'log', 'data', 'temp']) mkdirSync(join(folder, name))
  const write = (name: string, variable: string, value: unknown): void =>
    writeFileSync(join(folder, name), `<?php\n${variable} = ${php(value)};\n`)
  writeFileSync(join(folder, 'idp.crt'), certificate.pem)
  writeFileSync(join(folder, 'idp.pem'), certificate.keyPem)
  write('config.php', '$config', {
    baseurlpath: root,
    certdir: folder,
    loggingdir: join(folder, 'log/'),
    datadir: join(folder, 'data/'),
    tempdir: join(folder, 'temp'),
    metadatadir: join(folder, 'metadata/'),
    secretsalt: 'a salt of the test',
    'auth.adminpassword': 'a password of the test',
    timezone: 'UTC',
    'enable.saml20-idp': true,
    'module.enable': { exampleauth: true, core: true, saml: true },
    'store.type': 'phpsession',
    'session.phpsession.savepath': join(folder, 'data'),
    'metadata.sources': [{ type: 'flatfile' }],
    'logging.handler': 'file',
  })
  const logins = Object.entries(people).map(([name, said]) => [`${name}:x`, said])
  write('authsources.php', '$config', { people: { 0: 'exampleauth:UserPass', ...Object.fromEntries(logins) } })
  write('metadata/saml20-idp-hosted.php', `$metadata['__DYNAMIC:1__']`, {
    host: '__DEFAULT__',
    privatekey: 'idp.pem',
    certificate: 'idp.crt',
    auth: 'people',
    authproc: { 10: { class: 'saml:AttributeNameID', attribute: 'uid', Format: persistent } },
  })
  write('metadata/saml20-sp-remote.php', `$metadata[${php(service.entityId)}]`, {
    AssertionConsumerService: service.consumerUrl,
    NameIDFormat: persistent,
  })
}

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/** A value as PHP writes it. */
function php(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll(/[\\']/g, '\\$&')}'`
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map(php).join(', ')}]`
  const entries = Object.entries(Object(value))
  return `[${entries.map(([key, held]) => `${/^\d+$/.test(key) ? key : php(key)} => ${php(held)}`).join(', ')}]`
}

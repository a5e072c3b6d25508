// LemonLDAP::NG of Debian as an identity provider of SAML, with the people that it has for demonstrations.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Certificate } from './certificates.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** The portal, with what it needs for SAML and recommends only. */
export const lemonLdapPackages = [
  'liblemonldap-ng-portal-perl',
  'liblasso-perl',
  'libplack-perl',
  'libgd-securityimage-perl',
  'libimage-magick-perl',
  'libxml-simple-perl',
  'libio-string-perl',
] as const

type Wish = {
  certificate: Certificate
  /** The metadata of the service. */
  service: string
  /** Names of groups, by the login of their one member; its password is the login. */
  groups: Readonly<Record<string, string>>
}

/** Gives the address of its metadata. It ends after the file. */
export async function startLemonLdap(wish: Wish): Promise<string> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'perigee-lemonldap-'))
  const root = `http://127.0.0.1:${port}/`
  const program = writeConfiguration(folder, root, wish)
  const server = spawn('plackup', ['--host', '127.0.0.1', '--port', String(port), program], {
    env: { PATH: process.env['PATH'], LLNG_DEFAULTCONFFILE: join(folder, 'lemonldap-ng.ini') },
    stdio: 'ignore',
  })
  after(async () => {
    server.kill('SIGKILL')
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    rmSync(folder, { recursive: true })
  })
  const metadata = `${root}saml/metadata`
  const answers = (): Promise<boolean> =>
    fetch(metadata).then(
      ({ ok }) => ok,
      () => false,
    )
  await until('the metadata of LemonLDAP::NG', answers, 60_000)
  return metadata
}

/** Gives the path of the program. */
function writeConfiguration(folder: string, root: string, wish: Wish): string {
  for (const name of ['conf', 'cache', 'sessions', 'lasting', 'locks']) mkdirSync(join(folder, name))
  const program = join(folder, 'portal.psgi')
  writeFileSync(program, 'use Lemonldap::NG::Portal::Main; Lemonldap::NG::Portal::Main->run({});\n')
  writeFileSync(join(folder, 'lemonldap-ng.ini'), settingsIn(folder))
  writeFileSync(join(folder, 'conf', 'lmConf-1.json'), JSON.stringify(configurationOf(folder, root, wish)))
  return program
}

function settingsIn(folder: string): string {
  return `[all]
logLevel=warn
logger=Lemonldap::NG::Common::Logger::Std
userLogger=Lemonldap::NG::Common::Logger::Std
[configuration]
type=File
dirName=${folder}/conf
localStorage=Cache::FileCache
localStorageOptions={ 'namespace' => 'test', 'cache_root' => '${folder}/cache', 'cache_depth' => 3 }
[portal]
templateDir=/usr/share/lemonldap-ng/portal/templates
languages=en
`
}

function configurationOf(folder: string, root: string, { certificate, service, groups }: Wish) {
  const sessions = (name: string) => ({ Directory: join(folder, name), LockDirectory: join(folder, 'locks') })
  const rules = Object.entries(groups).map(([group, login]) => [group, `$uid eq '${login}'`])
  const basic = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic'
  return {
    cfgNum: 1,
    cfgDate: 1,
    portal: root,
    domain: '127.0.0.1',
    cookieName: 'lemonldap',
    securedCookie: 0,
    key: 'a key of the test',
    authentication: 'Demo',
    userDB: 'Same',
    passwordDB: 'Null',
    registerDB: 'Null',
    requireToken: 0,
    whatToTrace: 'uid',
    demoExportedVars: { uid: 'uid', cn: 'cn', mail: 'mail' },
    groups: Object.fromEntries(rules),
    locationRules: { '127.0.0.1': { default: 'accept' } },
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: sessions('sessions'),
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: sessions('lasting'),
    issuerDBSAMLActivation: 1,
    issuerDBSAMLPath: '^/saml/',
    issuerDBSAMLRule: 1,
    samlEntityID: '#PORTAL#/saml/metadata',
    samlServiceSignatureMethod: 'RSA_SHA256',
    samlServicePrivateKeySig: certificate.keyPem,
    samlServicePublicKeySig: certificate.pem,
    samlSPMetaDataXML: { perigee: { samlSPMetaDataXML: service } },
    samlSPMetaDataOptions: {
      perigee: { samlSPMetaDataOptionsNameIDFormat: 'persistent', samlSPMetaDataOptionsCheckSSOMessageSignature: 0 },
    },
    samlSPMetaDataExportedAttributes: {
      perigee: { mail: `1;email;${basic}`, cn: `0;displayName;${basic}`, groups: `0;groups;${basic}` },
    },
  }
}

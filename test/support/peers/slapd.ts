import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '../certificates.ts'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon, writeCertificate } from './daemon.ts'

export type SlapdPeer = {
  port: number
  /** For TLS from the start; null without a certificate. */
  securePort: number | null
  /** What ldapsearch prints for `admin`, without comments; throws where it fails. */
  search: (...args: readonly string[]) => string
}

type Wish = {
  certificate?: Certificate
  /** Clients have to show a certificate of this authority. */
  clientAuthority?: Certificate
  /** Further lines of its settings, before the database's. */
  settings?: readonly string[]
}

export const slapdAdmin = { bind_dn: 'cn=admin,dc=example,dc=com', password: 'admin secret' } as const

/** Anybody may see the base, and who has signed in may see all of it. */
const content = `dn: dc=example,dc=com
objectClass: domain
dc: example

dn: ou=people,dc=example,dc=com
objectClass: organizationalUnit
ou: people

dn: uid=ann,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: ann
cn: Ann (Äpfel) *
sn: Lee
mail: ann@example.org
mail: ann@example.com
userPassword: its secret

dn: uid=bob,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: bob
cn: Bob
sn: Lee
`

/** slapd of OpenLDAP on 127.0.0.1, as its own user, stopped after the file; two people are in it. */
export async function startSlapd({ certificate, clientAuthority, settings = [] }: Wish = {}): Promise<SlapdPeer> {
  const folder = scratchFolder('slapd')
  const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'openldap'], { encoding: 'utf8' })),
  )
  const port = await freePort()
  const securePort = certificate === undefined ? null : await freePort()
  const file = join(folder, 'slapd.conf')
  const entries = join(folder, 'entries.ldif')
  const database = join(folder, 'database')
  mkdirSync(database)
  chownSync(database, uid, gid)
  chownSync(folder, uid, gid)
  const lines = [
    ...['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`),
    `pidfile ${join(folder, 'pid')}`,
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    ...(certificate === undefined ? [] : tlsLines(folder, { certificate, clientAuthority }, [uid, gid])),
    ...settings,
    'database mdb',
    'suffix dc=example,dc=com',
    `rootdn ${slapdAdmin.bind_dn}`,
    `rootpw "${slapdAdmin.password}"`,
    `directory ${database}`,
    'access to attrs=userPassword by anonymous auth by * none',
    'access to dn.base=dc=example,dc=com by * read',
    'access to * by users read by * none',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  writeFileSync(entries, content)
  const identity = ['-u', 'openldap', '-g', 'openldap']
  execFileSync(
    'setpriv',
    ['--reuid=openldap', '--regid=openldap', '--clear-groups', '/usr/sbin/slapadd', '-f', file, '-l', entries],
    {
      stdio: 'pipe',
      timeout: 20_000,
    },
  )
  const places = [`ldap://127.0.0.1:${port}`, ...(securePort === null ? [] : [`ldaps://127.0.0.1:${securePort}`])]
  await startDaemon(['slapd', '-d', '0', '-h', places.join(' '), '-f', file, ...identity], {
    folder,
    ports: [port, ...(securePort === null ? [] : [securePort])],
  })
  return {
    port,
    securePort,
    search: (...args) =>
      execFileSync(
        'ldapsearch',
        ['-LLL', '-x', '-H', `ldap://127.0.0.1:${port}`, '-D', slapdAdmin.bind_dn, '-w', slapdAdmin.password, ...args],
        { encoding: 'utf8', timeout: 10_000, env: { ...process.env, LDAPNOINIT: '1' } },
      ),
  }
}

function tlsLines(
  folder: string,
  { certificate, clientAuthority }: { certificate: Certificate; clientAuthority: Certificate | undefined },
  [uid, gid]: [number, number],
): string[] {
  const own = writeCertificate(folder, certificate)
  chownSync(own.key, uid, gid)
  const authority = clientAuthority === undefined ? null : writeCertificate(folder, clientAuthority).cert
  return [
    `TLSCertificateFile ${own.cert}`,
    `TLSCertificateKeyFile ${own.key}`,
    ...(authority === null ? [] : [`TLSCACertificateFile ${authority}`, 'TLSVerifyClient demand']),
  ]
}

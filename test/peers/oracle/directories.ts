import { ldap } from '#kinds/ldap/ldap.ts'
import { startOpenssh } from '../../support/peers/openssh.ts'
import { findProgram } from '../../support/peers/program.ts'
import { slapdAdmin, startSlapd } from '../../support/peers/slapd.ts'
import { freePort } from '../../support/free-port.ts'
import { rawServer } from '../../support/raw-server.ts'
import { silentSeconds, unknownName, usualSeconds } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'
import { oracleCertificates } from './certificates.ts'

const base = 'dc=example,dc=com'

/** slapd of Debian, and servers that are none. */
export async function directoryCases(): Promise<Case[]> {
  const certificates = oracleCertificates()
  const silent = (await rawServer(() => {})).port
  const closed = await freePort()
  const ssh = (await startOpenssh()).port
  const server = await startSlapd({ certificate: certificates.good })
  const expired = await startSlapd({ certificate: certificates.expired })
  const plain = await startSlapd()
  const strict = await startSlapd({ settings: ['disallow bind_anon'] })
  const directory = (name: string, asked: Asked): Case => directoryCase(name, certificates.rootPath, asked)
  const inClear = { options: { security: 'none' }, port: plain.port }
  const people = { base: 'ou=people,dc=example,dc=com', scope: 'sub' }
  return [
    directory('good, by StartTLS', { port: server.port }),
    directory('good, by ldaps', { port: Number(server.securePort), scheme: 'ldaps' }),
    directory('in clear text', inClear),
    directory('signed in', { port: server.port, options: slapdAdmin }),
    directory('enough entries', { port: server.port, options: { ...slapdAdmin, ...people, min_entries: 3 } }),
    directory('too few entries', {
      port: server.port,
      options: { ...slapdAdmin, ...people, min_entries: 4 },
      error: /^The search found 3 entries, fewer than 4$/,
    }),
    directory('wrong password', {
      port: server.port,
      options: { ...slapdAdmin, password: 'another' },
      error: /^The server does not accept/,
    }),
    directory('anonymous bind that is refused', {
      port: strict.port,
      options: { security: 'none' },
      error: /^The server accepts no anonymous bind/,
    }),
    directory('a base that does not exist', {
      port: server.port,
      options: { ...slapdAdmin, base: 'ou=none,dc=example,dc=com' },
      error: /^The base of the search does not exist/,
    }),
    directory('StartTLS that is not offered', { port: plain.port, error: /^The server offers no StartTLS/ }),
    directory('expired certificate', { port: expired.port, error: /expired on/ }),
    directory('another protocol (OpenSSH)', {
      port: ssh,
      options: { security: 'none' },
      error: /^Not an LDAP server/,
    }),
    directory('silent server', { port: silent, isSilent: true, error: /^Timed out after 1000 ms/ }),
    directory('connection refused', { port: closed, error: /^Connection refused by 127/ }),
    directory('name that does not exist', { port: closed, ...unknownName }),
  ]
}

type Asked = Omit<Wish, 'url' | 'command' | 'module' | 'check'> & {
  port: number
  host?: string
  scheme?: 'ldap' | 'ldaps'
  options?: Record<string, unknown>
  isSilent?: true
}

/**
 * The plugin takes localhost for the name of the machine, for which no certificate here is. It asks for the base, which has to be there; with a number of entries it searches everything from it on.
 */
function directoryCase(name: string, rootPath: string, asked: Asked): Case {
  const { port, host = '127.0.0.1', scheme = 'ldap', options = {}, isSilent, ...wish } = asked
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const wanted: Record<string, unknown> = { base, ...options }
  const { security, bind_dn: bindDn, password, min_entries: least } = wanted
  const tls = security === 'none' ? [] : [scheme === 'ldaps' ? '-S' : '-T']
  return toCase(ldap, name, {
    ...wish,
    url: `${scheme}://${host}:${port}`,
    check: { timeoutMs: seconds * 1000, options: wanted },
    command: [
      'env',
      `LDAPTLS_CACERT=${rootPath}`,
      findProgram('check_ldap') ?? 'check_ldap',
      '-H',
      host,
      '-p',
      String(port),
      '-b',
      String(wanted['base']),
      '-t',
      String(seconds + 1),
      '-3',
      ...tls,
      ...(typeof bindDn === 'string' ? ['-D', bindDn, '-P', String(password)] : []),
      ...(typeof least === 'number' ? ['-C', `${least}:`] : []),
    ],
  })
}

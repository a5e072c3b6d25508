import type { Certificate } from './certificates.ts'
import { goodInfo, goodRedis, redisStandIn, redisText } from './redis-stand-in.ts'
import { goodLdap, ldapEntry, ldapResult, ldapStandIn } from './ldap-stand-in.ts'
import { operations } from '#kinds/ldap/ldap-messages.ts'
import { goodMysql, mysqlGreeting, mysqlStandIn } from './mysql-stand-in.ts'
import { goodPostgresql, pgMessage, postgresqlStandIn, type Said } from './postgresql-stand-in.ts'
import { filler, kindOf, type Subject } from './robust-check.ts'

/** Databases and directories, each in clear text and within TLS. */
export function databaseSubjects(certificate: Certificate): Subject[] {
  const layers = ['plain', 'tls'] as const
  return [
    ...layers.map((layer) => redisSubject(layer, certificate)),
    ...layers.map((layer) => postgresqlSubject(layer === 'tls' ? certificate : null)),
    ...layers.map((layer) => mysqlSubject(layer === 'tls' ? certificate : null)),
    ...(['ldap', 'ldap over TLS', 'ldap by StartTLS'] as const).map((name) => ldapSubject(name, certificate)),
  ]
}

/** The value that is expected comes last, so all of the answers is needed. */
function redisSubject(layer: 'plain' | 'tls', certificate: Certificate): Subject {
  const scheme = layer === 'tls' ? 'rediss' : 'redis'
  const options = { password: 'secret', key: 'state', expected_value: 'ok' }
  const info = redisText(goodInfo + filler)
  const answer = (words: readonly string[]): string => (words[0] === 'INFO' ? info : goodRedis(words))
  return {
    name: layer === 'tls' ? 'redis over TLS' : 'redis',
    kind: kindOf('redis'),
    layer,
    check: (port) => ({ url: `${scheme}://127.0.0.1:${port}`, options }),
    good: async () => (await redisStandIn({ answer, ...(layer === 'tls' ? { certificate } : {}) })).port,
    broken: 'down',
    isAsked: true,
    needs: layer === 'tls' ? 0.9 : 0.99,
  }
}

/** TLS begins after an answer, so that a server that misbehaves from the start does so in clear text. */
function postgresqlSubject(certificate: Certificate | null): Subject {
  const security = certificate === null ? 'none' : 'tls'
  const options = { username: 'ann', password: 'secret', security, statement: 'SELECT state', expected_value: 'ok' }
  const notice = pgMessage('N', `SNOTICE\0M${filler}\0\0`)
  const answer = (said: Said): Buffer | null => {
    const answered = goodPostgresql(said)
    return answered === null || said.type === 'startup' ? answered : Buffer.concat([notice, answered])
  }
  return {
    name: certificate === null ? 'postgresql' : 'postgresql over TLS',
    kind: kindOf('postgresql'),
    layer: 'plain',
    check: (port) => ({ url: `postgresql://127.0.0.1:${port}`, options }),
    good: async () => (await postgresqlStandIn({ answer, ...(certificate === null ? {} : { certificate }) })).port,
    broken: 'down',
    isAsked: true,
    needs: certificate === null ? 0.99 : 0.9,
  }
}

function mysqlSubject(certificate: Certificate | null): Subject {
  const security = certificate === null ? 'none' : 'tls'
  const options = { username: 'ann', password: 'secret', security, statement: 'SELECT state', expected_value: 'ok' }
  const greeting = mysqlGreeting({ version: `8.4.3-${'x'.repeat(100)}`, hasTls: certificate !== null })
  const wish = { greeting, answer: goodMysql, ...(certificate === null ? {} : { certificate }) }
  return {
    name: certificate === null ? 'mysql' : 'mysql over TLS',
    kind: kindOf('mysql'),
    layer: 'plain',
    check: (port) => ({ url: `mysql://127.0.0.1:${port}`, options }),
    good: async () => (await mysqlStandIn(wish)).port,
    broken: 'down',
    isAsked: false,
    needs: certificate === null ? 0.97 : 0.9,
  }
}

function ldapSubject(name: 'ldap' | 'ldap over TLS' | 'ldap by StartTLS', certificate: Certificate): Subject {
  const isSecured = name === 'ldap over TLS'
  const access = { bind_dn: 'cn=ann', password: 'secret' }
  const search = { base: 'dc=example', attribute: 'mail', expected_value: 'ann@example.com' }
  const options = { ...access, ...search, security: name === 'ldap' ? 'none' : 'starttls' }
  const entry = ldapEntry('uid=ann', { mail: [filler, 'ann@example.com'] })
  const wish = {
    answer: (operation: Parameters<typeof goodLdap>[0]) =>
      operation.tag === operations.searchRequest ? [entry, ldapResult(operations.searchDone)] : goodLdap(operation),
    ...(name === 'ldap' ? {} : { certificate, isSecured }),
  }
  return {
    name,
    kind: kindOf('ldap'),
    layer: isSecured ? 'tls' : 'plain',
    check: (port) => ({ url: `${isSecured ? 'ldaps' : 'ldap'}://127.0.0.1:${port}`, options }),
    good: async () => (await ldapStandIn(wish)).port,
    broken: 'down',
    isAsked: true,
    needs: name === 'ldap' ? 0.99 : 0.9,
  }
}

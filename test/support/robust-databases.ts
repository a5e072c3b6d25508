import type { Certificate } from './certificates.ts'
import { goodInfo, goodRedis, redisStandIn, redisText } from './redis-stand-in.ts'
import { filler, kindOf, type Subject } from './robust-check.ts'

/** Databases, each in clear text and within TLS. */
export function databaseSubjects(certificate: Certificate): Subject[] {
  return (['plain', 'tls'] as const).map((layer) => redisSubject(layer, certificate))
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

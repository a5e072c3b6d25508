import type { AnyKind } from '#kinds/kind.ts'
import { createNet } from '#net/create-net.ts'
import { findProgram } from '../../support/peers/program.ts'
import { failingSeconds, pluginArguments, silentSeconds, usualSeconds } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'

/** A question that all three ask, and what must be in its answer. */
export type Question = { server: string; name: string; type: string; expected?: string; isSilent?: true }

export type Asked = Omit<Wish, 'url' | 'command' | 'module'> & { question: Question; options: Record<string, unknown> }

export function nameCase(kind: AnyKind, name: string, asked: Asked & { url: string; isListed?: true }): Case {
  const { question, options, url, isListed, ...wish } = asked
  const { server, expected, isSilent } = question
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const dig = [
    ...pluginArguments({ host: '127.0.0.1', port: Number(server.split(':')[1]), seconds }),
    `--query_address=${question.name}`,
    `--record_type=${question.type}`,
    ...(expected === undefined ? [] : [`--expected_address=${expected}`]),
  ]
  const rules = {
    validate_answer_rrs: { fail_if_none_matches_regexp: [(expected ?? '.').replaceAll(/[.=]/g, '\\$&')] },
  }
  const module = {
    prober: 'dns',
    timeout: `${wish.error === undefined ? seconds : Math.min(seconds, failingSeconds)}s`,
    dns: {
      preferred_ip_protocol: 'ip4',
      query_name: question.name,
      query_type: question.type,
      ...(isListed === true ? { valid_rcodes: ['NXDOMAIN'] } : rules),
    },
  } as const
  return toCase(kind, name, {
    ...wish,
    url,
    net: createNet({ allowPrivate: 'all', dnsServers: [server] }),
    check: { timeoutMs: seconds * 1000, options },
    command: isListed === true ? ['negate', findProgram('check_dig') ?? '', ...dig] : ['check_dig', ...dig],
    module,
    target: server,
  })
}

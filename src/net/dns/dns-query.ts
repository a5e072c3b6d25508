import type { DnsMessage } from './dns-message.ts'
import type { DnsQuestion } from './dns-record.ts'
import type { DnsServer } from './dns-servers.ts'

/** Why a server gave no answer. */
export type DnsSilence = 'timed_out' | 'refused' | 'unreachable' | 'garbled' | 'broken_tcp'

export type DnsReply = { ok: true; message: DnsMessage } | { ok: false; silence: DnsSilence }

export type ServerQuestion = { server: DnsServer; question: DnsQuestion; readBuffer: Buffer }

export type Query = ServerQuestion & { id: number; bytes: Buffer }

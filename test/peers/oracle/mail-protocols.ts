import { ftps } from '#kinds/mail/ftps.ts'
import { imap } from '#kinds/mail/imap.ts'
import type { AnyKind } from '#kinds/kind.ts'
import type { Security } from '#kinds/mail/mail-dialogue.ts'
import { pop } from '#kinds/mail/pop.ts'
import { smtp } from '#kinds/mail/smtp.ts'
import type { PluginState } from '../../support/peers/monitoring-plugins.ts'
import type { Exchange } from './asked.ts'
import type { Reason } from './reasons.ts'

/** The state that a plugin reports where its verdict differs from ours. */
export type Difference = { state: PluginState; why: Reason }

/** How the oracles speak a protocol. */
export type Protocol = {
  kind: AnyKind
  name: 'smtp' | 'imap' | 'pop' | 'ftps'
  /** For TLS from the start, and for STARTTLS. */
  plugins: Record<Security, readonly [string, ...string[]]>
  /** For STARTTLS: the plugin looks at the certificate too. */
  seesStarttls: boolean
  /** The plugin's state when the server offers no STARTTLS, if it is not critical. */
  withoutTls?: Difference
  exchanges: Record<Security, readonly Exchange[]>
}

/** An answer of another kind is critical, not a warning. */
const strictly = ['-M', 'crit']

export const protocols: readonly Protocol[] = [
  {
    kind: smtp,
    name: 'smtp',
    plugins: { tls: ['check_ssmtp'], starttls: ['check_smtp', '-S'] },
    seesStarttls: true,
    withoutTls: { state: 'WARNING', why: 'noStarttls' },
    exchanges: {
      tls: [{ expect: '^220' }, { send: 'EHLO oracle\r' }, { expect: '^250 ' }],
      starttls: [
        { expect: '^220' },
        { send: 'EHLO oracle\r' },
        { expect: '^250[- ]STARTTLS' },
        { send: 'STARTTLS\r' },
        { expect: '^220' },
        { starttls: true },
        { send: 'EHLO oracle\r' },
        { expect: '^250 ' },
      ],
    },
  },
  {
    kind: imap,
    name: 'imap',
    plugins: { tls: ['check_simap', ...strictly], starttls: ['check_imap', ...strictly] },
    seesStarttls: false,
    exchanges: {
      tls: [{ expect: '^\\* OK' }, { send: 'a CAPABILITY\r' }, { expect: '^a OK' }],
      starttls: [
        { expect: '^\\* OK' },
        { send: 'a STARTTLS\r' },
        { expect: '^a OK' },
        { starttls: true },
        { send: 'b CAPABILITY\r' },
        { expect: '^b OK' },
      ],
    },
  },
  {
    kind: pop,
    name: 'pop',
    plugins: { tls: ['check_spop', ...strictly], starttls: ['check_pop', ...strictly] },
    seesStarttls: false,
    exchanges: {
      tls: [{ expect: '^\\+OK' }, { send: 'CAPA\r' }, { expect: '^\\+OK' }],
      starttls: [
        { expect: '^\\+OK' },
        { send: 'STLS\r' },
        { expect: '^\\+OK' },
        { starttls: true },
        { send: 'CAPA\r' },
        { expect: '^\\+OK' },
      ],
    },
  },
  {
    kind: ftps,
    name: 'ftps',
    plugins: { tls: ['check_ftp', '-S', ...strictly], starttls: ['check_ftp', ...strictly] },
    seesStarttls: false,
    exchanges: {
      tls: [{ expect: '^220' }, { send: 'PBSZ 0\r' }, { expect: '^\\d{3} ' }],
      starttls: [
        { expect: '^220' },
        { send: 'AUTH TLS\r' },
        { expect: '^234' },
        { starttls: true },
        { send: 'PBSZ 0\r' },
        { expect: '^\\d{3} ' },
      ],
    },
  },
]

import { describe } from 'node:test'
import { startOpenssh } from '../support/peers/openssh.ts'
import { oracleCertificates } from './oracle/certificates.ts'
import { compareWithOracles, oracleSkipReason } from './oracle/compare.ts'
import { dovecotPorts, postfixPorts, vsftpdPorts } from './oracle/mail-servers.ts'
import { mailCases } from './oracle/mail.ts'

const servers = ['dovecot', 'postfix', 'sshd', 'vsftpd']
const oracles = ['check_smtp', 'check_imap', 'check_pop', 'check_ftp']
const skip = oracleSkipReason([...servers, ...oracles])

describe('mail and file servers, beside monitoring-plugins and blackbox_exporter', { skip }, async () => {
  const certificates = oracleCertificates()
  const [smtp, mailboxes, ftps] = await Promise.all([
    postfixPorts(certificates),
    dovecotPorts(certificates),
    vsftpdPorts(certificates),
  ])
  const { port: ssh } = await startOpenssh()
  await compareWithOracles(await mailCases(certificates, { smtp, ...mailboxes, ftps, ssh }))
})

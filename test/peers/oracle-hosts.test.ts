import { describe } from 'node:test'
import { startSocat } from '../support/peers/socat.ts'
import { oracleCertificates } from './oracle/certificates.ts'
import { compareWithOracles, oracleSkipReason } from './oracle/compare.ts'
import { datagramCases } from './oracle/datagrams.ts'
import { hostCases } from './oracle/hosts.ts'
import { sslCases } from './oracle/ssl.ts'

const servers = ['chronyd', 'dovecot', 'named', 'nginx', 'socat', 'sshd', 'vsftpd']
const oracles = ['check_tcp', 'check_udp', 'check_ssh', 'check_ntp_time']
const skip = oracleSkipReason([...servers, ...oracles])

describe('ports and certificates, beside monitoring-plugins and blackbox_exporter', { skip }, async () => {
  const socat = await startSocat()
  const cases = [
    ...(await hostCases(socat)),
    ...(await datagramCases(socat)),
    ...(await sslCases(oracleCertificates())),
  ]
  await compareWithOracles(cases)
})

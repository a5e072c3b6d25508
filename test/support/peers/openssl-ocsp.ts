import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '../certificates.ts'
import { writeCertificate } from './daemon.ts'

/** The path of a response that OpenSSL makes, as the responder of the authority that issued the certificate. */
export function opensslOcsp(
  folder: string,
  { of, issuer, revokedAt }: { of: Certificate; issuer: Certificate; revokedAt?: Date },
): string {
  const authority = writeCertificate(folder, issuer)
  const { cert } = writeCertificate(folder, of)
  const { serialNumber, validToDate } = new X509Certificate(of.pem)
  const state = revokedAt === undefined ? 'V' : 'R'
  const revoked = revokedAt === undefined ? '' : timeOf(revokedAt)
  const index = join(folder, `index-${serialNumber}.txt`)
  writeFileSync(
    index,
    `${[state, timeOf(validToDate), revoked, serialNumber, 'unknown', `/CN=${of.name}`].join('\t')}\n`,
  )
  writeFileSync(`${index}.attr`, 'unique_subject = no\n')
  const response = join(folder, `ocsp-${serialNumber}.der`)
  const signing = ['-CA', authority.cert, '-rsigner', authority.cert, '-rkey', authority.key]
  const asked = ['-issuer', authority.cert, '-cert', cert, '-no_nonce']
  execFileSync('openssl', ['ocsp', '-index', index, ...signing, ...asked, '-ndays', '1', '-respout', response], {
    timeout: 10_000,
    stdio: 'pipe',
  })
  return response
}

/** As the index of an authority has it. */
function timeOf(date: Date): string {
  return date
    .toISOString()
    .replaceAll(/[-:T]|\.\d+/g, '')
    .slice(2)
}

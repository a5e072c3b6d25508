import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type Certificate, chainPem, makeCertificate } from '../../support/certificates.ts'
import { scratchFolder } from '../../support/peers/daemon.ts'

const dayMs = 86_400_000
const names = ['localhost', '127.0.0.1']

export type OracleCertificates = Record<
  'good' | 'expired' | 'wrongName' | 'selfSigned' | 'withoutMiddle' | 'ending' | 'endingLater',
  Certificate
> & {
  /** The root's file, which the oracles are told to trust; this process trusts it by itself. */
  rootPath: string
}

/** Certificates of a root that is trusted here until after the file; `pem` is what a server shows, its chain too. */
export function oracleCertificates(): OracleCertificates {
  const root = makeCertificate({ name: 'Oracle Root', isAuthority: true, notAfter: fromNow(3000) })
  const middle = makeCertificate({ name: 'Oracle Middle', isAuthority: true, issuer: root, notAfter: fromNow(1000) })
  const leaf = (notBefore: number, notAfter: number, alternatives = names): Certificate => {
    const ends = { notBefore: fromNow(notBefore), notAfter: fromNow(notAfter) }
    const made = makeCertificate({ name: 'localhost', names: alternatives, issuer: middle, ...ends })
    return { ...made, pem: chainPem(made, middle) }
  }
  const rootPath = join(scratchFolder('root'), 'root.pem')
  writeFileSync(rootPath, root.pem)
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, root.pem])
  after(() => setDefaultCACertificates(trusted))
  return {
    rootPath,
    good: leaf(-1, 90),
    expired: leaf(-100, -3.5),
    wrongName: leaf(-1, 90, ['shop.example']),
    selfSigned: makeCertificate({ name: 'localhost', names }),
    withoutMiddle: makeCertificate({ name: 'localhost', names, issuer: middle }),
    ending: leaf(-87, 3.5),
    endingLater: leaf(-65, 25.5),
  }
}

function fromNow(days: number): Date {
  return new Date(Date.now() + days * dayMs)
}

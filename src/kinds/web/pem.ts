import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'
const maxCertificates = 50

/** What is wrong with a text that should have certificates in PEM (RFC 7468), as a sentence; null when nothing is. */
export function certificatesProblem(text: string): string | null {
  const blocks = blocksOf(text)
  if (blocks.length === 0) return `Must have a certificate in PEM, which begins with ${begin}.`
  if (blocks.length > maxCertificates) return `Must have at most ${maxCertificates} certificates.`
  const wrong = blocks.findIndex((block) => readCertificate(block) === null)
  return wrong === -1 ? null : `Certificate ${wrong + 1} of ${blocks.length} cannot be read.`
}

/** What is wrong with a text that should have certificates and the private key of the first; null when nothing is. */
export function clientProblem(text: string): string | null {
  const problem = certificatesProblem(text)
  if (problem !== null) return problem
  if (text.includes('ENCRYPTED')) return 'Must have the private key without a passphrase.'
  const key = readKey(text)
  if (key === null) return 'Must have the private key too, in PEM.'
  const [first] = blocksOf(text)
  const certificate = first === undefined ? null : readCertificate(first)
  if (certificate === null || certificate.checkPrivateKey(key)) return null
  return 'Must have the private key of its first certificate.'
}

function blocksOf(text: string): string[] {
  return text
    .split(begin)
    .slice(1)
    .map((rest) => `${begin}${rest.split(end, 1)[0] ?? ''}${end}`)
}

function readCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}

function readKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem)
  } catch {
    return null
  }
}

import type { Secrets } from '#store/database/secrets.ts'

type Code = { attemptId: string; code: string }

const purpose = 'agent user code'

/** What is stored of a code: keyed, because a million plain hashes are made in a moment. */
export function sealUserCode(secrets: Pick<Secrets, 'sign'>, { attemptId, code }: Code): Buffer {
  return Buffer.from(secrets.sign(purpose, `${attemptId}:${code}`), 'base64url')
}

export function isUserCode(secrets: Pick<Secrets, 'isSigned'>, { attemptId, code }: Code, sealed: Buffer): boolean {
  return secrets.isSigned(purpose, `${attemptId}:${code}`, sealed.toString('base64url'))
}

import { nkeys } from '@nats-io/transport-node'

type KeyPair = ReturnType<typeof nkeys.createUser>

const limits = { ...unlimited(['subs', 'data', 'payload', 'imports', 'exports', 'conn', 'leaf']), wildcards: true }
/** The system's account must not have these limits, because it may not have JetStream. */
const storage = unlimited(['mem_storage', 'disk_storage', 'streams', 'consumer'])

/**
 * An operator with an account and its user, as JWTs (NATS's own algorithm, ed25519-nkey): the lines for the broker's
 * configuration, and the user's credentials file.
 */
export function makeNatsAccount(): { configuration: string; credentials: string } {
  const operator = nkeys.createOperator()
  const account = nkeys.createAccount()
  const user = nkeys.createUser()
  const operatorToken = token(operator, operator, { type: 'operator' })
  const system = nkeys.createAccount()
  const accounts = [
    `${account.getPublicKey()}: ${token(operator, account, { type: 'account', limits: { ...limits, ...storage } })}`,
    `${system.getPublicKey()}: ${token(operator, system, { type: 'account', limits })}`,
  ]
  const userToken = token(account, user, { type: 'user', ...unlimited(['subs', 'data', 'payload']) })
  return {
    configuration: `operator: ${operatorToken}\nsystem_account: ${system.getPublicKey()}\nresolver: MEMORY\nresolver_preload {\n${accounts.join('\n')}\n}`,
    credentials: `${framed('NATS USER JWT', userToken)}\n${framed('USER NKEY SEED', new TextDecoder().decode(user.getSeed()))}`,
  }
}

function unlimited(names: string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, -1]))
}

function token(issuer: KeyPair, subject: KeyPair, nats: Record<string, unknown>): string {
  const claims = {
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    nats: { version: 2, ...nats },
  }
  const signed = [{ typ: 'JWT', alg: 'ed25519-nkey' }, claims].map(encoded).join('.')
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`
}

function encoded(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function framed(name: string, text: string): string {
  return `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`
}

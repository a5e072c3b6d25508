import type { MqttVersion } from './mqtt-packets.ts'

/** From this code on, MQTT 5 tells of a failure; so does a SUBACK of 3.1.1. */
export const leastFailure = 0x80

/** Codes of CONNACK in MQTT 3.1.1 (3.2.2.3), as MQTT 5 counts them. */
const sinceVersion5: ReadonlyMap<number, number> = new Map([
  [1, 0x84],
  [2, 0x85],
  [3, 0x88],
  [4, 0x86],
  [5, 0x87],
])

/** MQTT 5, 2.4. */
const reasons: ReadonlyMap<number, string> = new Map([
  [0x80, 'unspecified error'],
  [0x81, 'malformed packet'],
  [0x82, 'protocol error'],
  [0x83, 'implementation specific error'],
  [0x84, 'unsupported protocol version'],
  [0x85, 'client identifier not valid'],
  [0x86, 'bad user name or password'],
  [0x87, 'not authorized'],
  [0x88, 'server unavailable'],
  [0x89, 'server busy'],
  [0x8a, 'banned'],
  [0x8b, 'server shutting down'],
  [0x8c, 'bad authentication method'],
  [0x8d, 'keep alive timeout'],
  [0x8e, 'session taken over'],
  [0x8f, 'topic filter invalid'],
  [0x90, 'topic name invalid'],
  [0x93, 'receive maximum exceeded'],
  [0x95, 'packet too large'],
  [0x96, 'message rate too high'],
  [0x97, 'quota exceeded'],
  [0x98, 'administrative action'],
  [0x99, 'payload format invalid'],
  [0x9a, 'retain not supported'],
  [0x9b, 'quality of service not supported'],
  [0x9c, 'use another server'],
  [0x9d, 'server moved'],
  [0x9e, 'shared subscriptions not supported'],
  [0x9f, 'connection rate exceeded'],
  [0xa0, 'maximum connect time'],
  [0xa1, 'subscription identifiers not supported'],
  [0xa2, 'wildcard subscriptions not supported'],
])

/** For texts, such as `not authorized (0x87)`. */
export function reasonText(code: number): string {
  const number = `0x${code.toString(16).padStart(2, '0')}`
  const reason = reasons.get(code)
  return reason === undefined ? `code ${number}` : `${reason} (${number})`
}

type SignIn = { version: MqttVersion; hasUser: boolean }

/** What a CONNACK with this code means, which is not 0. */
export function signInProblem(code: number, { version, hasUser }: SignIn): string {
  const reason = sinceVersion5.get(code) ?? code
  switch (reason) {
    case 0x84:
      return `The server does not speak MQTT ${version}: set check_options.protocol_version`
    case 0x86:
    case 0x87:
      return hasUser
        ? 'The server does not accept the user or the password'
        : 'The server wants a user: set check_options.username and password'
    default:
      return `The server refuses the sign-in: ${reasonText(reason)}`
  }
}

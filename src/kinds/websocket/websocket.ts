import { randomBytes } from 'node:crypto'
import type { Verdict } from '#core/results/result.ts'
import { judgeTalk } from '#kinds/talk/judge-talk.ts'
import { ownTls } from '#kinds/talk/access-options.ts'
import { isExpected } from '#kinds/talk/expected-message.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import type { Asking } from '#kinds/web/question-thread.ts'
import { type Told, toldWithoutSent } from '#kinds/told.ts'
import { askingOf } from '#kinds/web/web-kind.ts'
import type { Peer, TalkOutcome } from '#net/tcp/talk.ts'
import { clientFrame, opcodes } from './websocket-frames.ts'
import { type OpeningAnswer, openingProblem, openingRequest, readOpeningAnswer } from './websocket-handshake.ts'
import { createListener, type Heard, sayGoodbye } from './websocket-messages.ts'
import { websocketOptions, type WebsocketOptions } from './websocket-options.ts'
import { websocketTarget, websocketTargetProblem } from './websocket-target.ts'

const maxBytes = 256 * 1024
/** Of the answer to the handshake, with those of answers before it, such as 103. */
const maxLines = 200
const keyBytes = 16
const pingBytes = 8

/** What a check saw, as far as it came. */
export type WebsocketSight = { status: number | null; messages: number }
export type WebsocketObservation = { outcome: TalkOutcome; sight: WebsocketSight }

/** A WebSocket server (RFC 6455): it opens a connection, and answers. */
export const websocket = defineKind<WebsocketOptions, WebsocketObservation>({
  name: 'websocket',
  options: websocketOptions,
  secretOptions: ['send', 'client_certificate'],
  targetProblem: websocketTargetProblem,
  observe: async (check, net, signal) => {
    const { url, options, timeoutMs } = check
    const { isTls, host, port } = websocketTarget(url)
    const sight: WebsocketSight = { status: null, messages: 0 }
    const outcome = await net.talk(
      {
        host,
        port,
        security: isTls ? 'tls' : 'none',
        tls: ownTls(options),
        speak: (peer) =>
          speak({
            peer,
            check,
            sight,
            told: toldWithoutSent(check.requestHeaders, options.send ?? ''),
            asking: askingOf(net),
            signal,
          }),
        maxBytes,
        timeoutMs,
      },
      signal,
    )
    return { outcome, sight }
  },
  judge: judgeWebsocket,
})

type Talk = {
  peer: Peer
  check: Check<WebsocketOptions>
  sight: WebsocketSight
  told: Told
  asking: Asking
  signal: AbortSignal
}

async function speak(talk: Talk): Promise<void> {
  const { peer, told } = talk
  const { send, expected_message: text, message_pattern: pattern } = talk.check.options
  await open(talk)
  peer.beginWork()
  const listen = createListener(peer, told)
  if (send !== undefined) peer.send(clientFrame(opcodes.text, Buffer.from(send)))
  const isSpecial = text !== undefined || pattern !== undefined
  if (send === undefined && !isSpecial) await askForPong(peer, listen)
  else await awaitMessage(talk, listen, isSpecial ? 'the expected message' : 'a message')
  sayGoodbye(peer)
}

async function open({ peer, check, sight, told }: Talk): Promise<void> {
  const { path, authority } = websocketTarget(check.url)
  const { subprotocol } = check.options
  const key = randomBytes(keyBytes).toString('base64')
  peer.send(openingRequest({ path, authority, key, subprotocol, headers: check.requestHeaders }))
  const answer = await takeOpeningAnswer(peer, told)
  sight.status = answer.status
  const problem = answer.status === 101 ? openingProblem(answer, { key, subprotocol }) : statusProblem(answer, told)
  if (problem !== null) throw peer.fault(problem)
}

/** Answers before the final one are passed over (RFC 9110 15.2). */
async function takeOpeningAnswer(peer: Peer, told: Told): Promise<OpeningAnswer> {
  let lines: string[] = []
  for (let count = 0; count < maxLines; count++) {
    const line = await peer.takeLine('the answer to the handshake')
    if (lines.length === 0 && !line.startsWith('HTTP/1.'))
      throw peer.fault(`Not an answer of HTTP: ${told.quoted(line)}`)
    if (line !== '') {
      lines.push(line)
      continue
    }
    const answer = readOpeningAnswer(lines)
    if (answer === null) throw peer.fault('The headers of the answer to the handshake cannot be read')
    if (answer.status === 101 || answer.status >= 200) return answer
    lines = []
  }
  throw peer.fault(`The answer to the handshake has more than ${maxLines} lines`)
}

function statusProblem({ status, headers }: OpeningAnswer, told: Told): string {
  const location = status >= 300 && status < 400 ? headers.get('location') : undefined
  const place = location === undefined ? '' : `: it leads to ${told.quoted(location)}`
  return `HTTP status ${status}, expected 101${place}`
}

async function askForPong(peer: Peer, listen: (awaited: string) => Promise<Heard>): Promise<void> {
  const asked = randomBytes(pingBytes)
  peer.send(clientFrame(opcodes.ping, asked))
  for (;;) {
    const { type, payload } = await listen('the answer to the ping')
    if (type === 'pong' && payload.equals(asked)) return
  }
}

/** Others may come before the one that is expected. */
async function awaitMessage(talk: Talk, listen: (awaited: string) => Promise<Heard>, awaited: string): Promise<void> {
  for (;;) {
    const { type, payload } = await listen(awaited)
    if (type === 'pong') continue
    talk.sight.messages++
    if (await isExpected(talk, payload)) return
  }
}

export function judgeWebsocket(
  { outcome, sight }: WebsocketObservation,
  { options }: Pick<Check<WebsocketOptions>, 'options'>,
): Verdict {
  const { status, messages } = sight
  const details = messages === 0 ? {} : { messages }
  return {
    ...judgeTalk(outcome, { details, findings: [], maxLatencyMs: options.max_latency_ms }),
    statusCode: status,
  }
}
